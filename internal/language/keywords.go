package language

import (
	"strings"
	"sync"
)

// A Words is a set of words, which is made when it is first used. It is safe for concurrent use.
type Words struct{ set func() map[string]bool }

func words(list string) *Words {
	return &Words{sync.OnceValue(func() map[string]bool {
		set := make(map[string]bool)
		for _, word := range strings.Fields(list) {
			set[word] = true
		}
		return set
	})}
}

// Has reports whether a word is one of the set; nil has none.
func (w *Words) Has(word string) bool { return w != nil && w.set()[word] }

// The words of languages that are never names, nor anything else that a server could tell more of.
var (
	goKeywords = words(`break case chan const continue default defer else fallthrough for func go goto if import interface map
		package range return select struct switch type var true false nil iota
		any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8
		uint16 uint32 uint64 uintptr append cap clear close copy delete len make max min new panic print println recover`)
	rustKeywords = words(`as async await break const continue crate dyn else enum extern false fn for if impl in let loop match
		mod move mut pub ref return self Self static struct super trait true type unsafe use where while
		bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize`)
	pythonKeywords = words(`False None True and as assert async await break class continue def del elif else except finally for
		from global if import in is lambda nonlocal not or pass raise return try while with yield self cls
		bool bytes dict float int len list object print range set str super tuple`)
	scriptKeywords = words(`async await break case catch class const continue debugger default delete do else enum export extends
		false finally for from function if import in instanceof interface let new null of return static super switch this throw
		true try typeof var void while with yield implements private protected public readonly abstract declare type namespace
		keyof infer is asserts satisfies as any boolean number string unknown never undefined bigint`)
	nativeKeywords = words(`alignas alignof asm auto bool break case catch char char8_t char16_t char32_t class concept const
		consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double
		dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new
		noexcept nullptr operator private protected public register reinterpret_cast requires return short signed sizeof static
		static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned
		using virtual void volatile wchar_t while final override`)
	jvmKeywords = words(`abstract as assert boolean break by byte case catch char class companion const continue data default do
		double else enum extends final finally float for fun if implements import in instanceof int interface internal is lateinit
		long native new null object open operator out override package private protected public return sealed short static super
		suspend switch synchronized this throw throws transient true false try typealias val var void volatile when while`)

	// Servers of these rename to words that no declaration can have.
	pythonReserved = words(`False None True and as assert async await break class continue def del elif else except finally for from
		global if import in is lambda nonlocal not or pass raise return try while with yield`)
	scriptReserved = words(`await break case catch class const continue debugger default delete do else enum export extends false finally
		for function if import in instanceof interface let new null package private protected public return static super switch this
		throw true try typeof var void while with yield`)

	rustContextual   = words(`default union`)
	pythonContextual = words(`type`)
	scriptContextual = words(`abstract async declare namespace readonly type`)
)
