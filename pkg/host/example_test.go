package host_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/lspine/lspine/pkg/evidence"
	"github.com/lspine/lspine/pkg/host"
	"github.com/lspine/lspine/pkg/types"
)

// shop makes a small Go project in a folder of its own, and returns that with a function that removes
// it.
func shop() (root string, remove func()) {
	root, err := os.MkdirTemp("", "shop")
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":   "module example.com/shop\n\ngo 1.24\n",
		"price.go": "package shop\n\n// A Price is in cents.\ntype Price int\n\n// Sum adds prices.\nfunc Sum(prices ...Price) (total Price) {\n\tfor _, p := range prices {\n\t\ttotal += p\n\t}\n\treturn total\n}\n",
		"order.go": "package shop\n\n// An Order is what a customer wants.\ntype Order struct{ Prices []Price }\n\n// Total is what it costs.\nfunc (o Order) Total() Price { return Sum(o.Prices...) }\n",
	} {
		write(root, name, text)
	}
	return root, func() { _ = os.RemoveAll(root) }
}

func write(root, name, text string) {
	if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
}

// An agent asks what an edit broke: in the file, and in others that nobody opened.
func Example() {
	root, remove := shop()
	defer remove()
	// host.Supervise() // the first line of main

	h, err := host.Open(host.Options{Root: root, Name: "my-agent", Evidence: "off"})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Close(context.Background())

	before, err := os.ReadFile(filepath.Join(root, "price.go"))
	if err != nil {
		log.Fatal(err)
	}
	write(root, "price.go", "package shop\n\n// A Price is in cents.\ntype Price int\n\n// Sum adds two prices.\nfunc Sum(a, b Price) Price { return a + b }\n")
	check, err := h.Check(context.Background(), types.CheckRequest{
		Files: []string{"price.go"}, Before: map[string]string{"price.go": string(before)},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(check.Files[0].Path, types.ClassOf(check.Files[0].Verdict))
	for _, f := range check.Others {
		for _, d := range f.Diagnostics {
			fmt.Printf("%s:%d: %s\n", f.Path, d.Line, d.Message)
		}
	}
	// Output:
	// price.go clean
	// order.go:7: cannot use ... in call to non-variadic Sum
}

// A host puts into the prompt what the code in focus uses and does not show.
func ExampleHost_Assemble() {
	root, remove := shop()
	defer remove()
	h, err := host.Open(host.Options{Root: root, Evidence: "off"})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Close(context.Background())

	given, err := h.Assemble(context.Background(), types.AssembleRequest{
		Ranges: []types.Range{{File: "order.go", StartLine: 7}}, Include: []string{"definition"}, BudgetBytes: 200,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range given.Items {
		fmt.Println(item.Name, "by", item.Record.Server)
	}
	// Time passes; nothing has changed.
	again, err := h.Revalidate(context.Background(), given.Items)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(again.Items) == len(given.Items), again.Items[0].Record.Stale)
	// Output:
	// Order by gopls
	// Price by gopls
	// true false
}

// A turn ends with a judgement of every file that changed in it, whoever changed it.
func ExampleHost_CloseTurn() {
	root, remove := shop()
	defer remove()
	h, err := host.Open(host.Options{Root: root, Evidence: "off"})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Close(context.Background())

	ctx := context.Background()
	if _, err := h.BeginTurn(ctx); err != nil {
		log.Fatal(err)
	}
	write(root, "order.go", "package shop\n\n// An Order is what a customer wants.\ntype Order struct{ Prices []Price }\n\n// Total is what it costs.\nfunc (o Order) Total() Price { return Sun(o.Prices...) }\n")
	closed, err := h.CloseTurn(ctx, types.CloseTurnRequest{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(closed.Outcome, closed.Files[0].Path, closed.Files[0].Class)

	write(root, "order.go", "package shop\n\n// An Order is what a customer wants.\ntype Order struct{ Prices []Price }\n\n// Total is what it costs.\nfunc (o Order) Total() Price { return Sum(o.Prices...) + 1 }\n")
	closed, err = h.CloseTurn(ctx, types.CloseTurnRequest{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(closed.Outcome, closed.Class)
	// Output:
	// self_correct order.go new_errors
	// closed clean
}

// What was asked is on record; whether the record is whole can be verified.
func ExampleOpen_evidence() {
	root, remove := shop()
	defer remove()
	kept, err := os.MkdirTemp("", "evidence")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(kept)
	file := filepath.Join(kept, "evidence.jsonl")

	h, err := host.Open(host.Options{Root: root, Name: "my-agent", Evidence: file})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := h.Check(context.Background(), types.CheckRequest{Files: []string{"order.go"}}); err != nil {
		log.Fatal(err)
	}
	if err := h.Close(context.Background()); err != nil {
		log.Fatal(err)
	}

	report, err := evidence.Verify(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("problems:", len(report.Problems))
	err = evidence.Read(file, func(r *evidence.Record) error {
		event, err := r.Decode()
		if called, is := event.(*evidence.ToolCall); is {
			fmt.Println(r.Client, called.Operation, called.Success)
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// problems: 0
	// host/my-agent check true
}
