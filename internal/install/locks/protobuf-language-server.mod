module lspine.invalid/install

go 1.24.0

tool github.com/lasorda/protobuf-language-server

require (
	github.com/emicklei/proto v1.14.1 // indirect
	github.com/json-iterator/go v1.1.12 // indirect
	github.com/lasorda/protobuf-language-server v0.1.8 // indirect
	github.com/modern-go/concurrent v0.0.0-20180306012644-bacd9c7ef1dd // indirect
	github.com/modern-go/reflect2 v1.0.2 // indirect
	github.com/segmentio/asm v1.2.0 // indirect
	github.com/segmentio/encoding v0.4.1 // indirect
	go.lsp.dev/jsonrpc2 v0.10.0 // indirect
	go.lsp.dev/uri v0.3.0 // indirect
	golang.org/x/sys v0.30.0 // indirect
)
