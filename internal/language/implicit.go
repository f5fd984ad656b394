package language

import "strings"

// JSXNamespace is the namespace in which scripts say what markup means; JSXElements is what names
// the elements in it.
const (
	JSXNamespace = "JSX"
	JSXElements  = "IntrinsicElements"
)

// IsImplicitType reports whether scripts use a global type without naming it: it is that of a
// literal, of an operator or a statement, or what these require.
func IsImplicitType(name string) bool { return implicitTypes[name] }

var implicitTypes = func() map[string]bool {
	all := make(map[string]bool)
	for _, name := range strings.Fields(`Array ArrayLike AsyncDisposable AsyncGenerator AsyncGeneratorFunction AsyncIterable AsyncIterableIterator AsyncIterator
		AsyncIteratorObject Awaited BigInt Boolean CallableFunction ConcatArray Disposable Error Function Generator GeneratorFunction IArguments
		ImportAttributes ImportCallOptions ImportMeta Iterable IterableIterator Iterator IteratorObject IteratorResult IteratorReturnResult
		IteratorYieldResult JSX NewableFunction Number Object Promise PromiseLike PropertyDescriptor PropertyKey ReadonlyArray RegExp
		RegExpExecArray RegExpMatchArray String Symbol TemplateStringsArray ThisType TypedPropertyDescriptor ClassAccessorDecoratorContext
		ClassAccessorDecoratorResult ClassAccessorDecoratorTarget ClassDecoratorContext ClassFieldDecoratorContext ClassGetterDecoratorContext
		ClassMethodDecoratorContext ClassSetterDecoratorContext`) {
		all[name] = true
	}
	return all
}()
