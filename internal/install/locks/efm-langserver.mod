module lspine.invalid/install

go 1.24.0

tool github.com/mattn/efm-langserver

require (
	github.com/kr/text v0.2.0 // indirect
	github.com/mattn/efm-langserver v0.0.57 // indirect
	github.com/mattn/go-unicodeclass v0.0.2 // indirect
	github.com/reviewdog/errorformat v0.0.0-20250320004447-223c26dbe212 // indirect
	github.com/sourcegraph/jsonrpc2 v0.2.1 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)
