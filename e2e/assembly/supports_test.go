package assembly

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// Each has a service, a factory of it in the place of tests without a test of its own, a test that
// uses it by way of the factory, a test that has nothing to do with either, and a helper that no
// test uses.
var supported = []struct {
	server, archive, service string
	want                     []string
}{
	{"gopls", `
-- go.mod --
module ex/m

go 1.25
-- service.go --
package m

type Service struct{}
-- factory_test.go --
package m

func makeService() *Service { return &Service{} }
-- made_test.go --
package m

import "testing"

func TestMade(t *testing.T) { makeService() }
-- other_test.go --
package m

import "testing"

func TestOther(t *testing.T) {}
-- unused_test.go --
package m

var unused Service
`, "service.go", []string{"made_test.go", "unused_test.go"}},
	{"typescript", `
-- tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]}}
-- src/service.ts --
export class Service {}
-- test/support/factory.ts --
import { Service } from '../../src/service'
import * as assert from './assert'
export function makeService() { assert.ok(); return new Service() }
-- test/support/assert.ts --
export function ok() {}
-- test/support/shared.ts --
import { makeService } from './factory'
export const shared = { service: makeService() }
-- test/made.test.ts --
import { shared } from './support/shared'
declare function test(name: string, f: () => void): void
test('made', () => { shared.service })
-- test/other.test.ts --
declare function test(name: string, f: () => void): void
test('other', () => {})
-- test/unused.ts --
import { Service } from '../src/service'
new Service()
`, "src/service.ts", []string{"test/made.test.ts", "test/unused.ts"}},
	{"pyright", `
-- pyproject.toml --
[tool.pyright]
-- service.py --
class Service: ...
-- tests/conftest.py --
import pytest

from service import Service


@pytest.fixture
def made() -> Service:
    return Service()


@pytest.fixture
def wrapped(made):
    return [made]
-- tests/factories.py --
from service import Service


def make_service() -> Service:
    return Service()
-- tests/test_made.py --
from factories import make_service


def test_made() -> None:
    make_service()
-- tests/test_fixture.py --
def test_fixture(wrapped) -> None: ...
-- tests/test_other.py --
def test_other() -> None: ...
-- tests/unused.py --
from service import Service

Service()
`, "service.py", []string{"tests/test_fixture.py", "tests/test_made.py", "tests/unused.py"}},
	{"rust-analyzer", `
-- Cargo.toml --
[package]
name = "m"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
pub struct Service;
-- tests/common/mod.rs --
use m::Service;
pub fn make_service() -> Service {
    Service
}
-- tests/made.rs --
mod common;
#[test]
fn made() {
    common::make_service();
}
-- tests/other.rs --
#[test]
fn other() {}
-- tests/unused.rs --
pub fn unused() -> m::Service {
    m::Service
}
`, "src/lib.rs", []string{"tests/made.rs", "tests/unused.rs"}},
	{"jdtls", `
-- .project --
<projectDescription><name>m</name>
<buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>
<natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>
-- .classpath --
<classpath><classpathentry kind="src" path="src"/><classpathentry kind="src" path="test"/>
<classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="bin"/></classpath>
-- src/ex/Service.java --
package ex;

public class Service {}
-- test/ex/Factory.java --
package ex;

class Factory {
    static Service make() { return new Service(); }
}
-- test/ex/Marked.java --
package ex;

@interface Test {}
-- test/ex/MadeTest.java --
package ex;

class MadeTest {
    @Test
    void made() { Factory.make(); }
}
-- test/ex/OtherTest.java --
package ex;

class OtherTest {
    @Test
    void other() {}
}
-- test/ex/Unused.java --
package ex;

class Unused {
    Service service;
}
`, "src/ex/Service.java", []string{"test/ex/MadeTest.java", "test/ex/Unused.java"}},
}

// The tests to run are those that use what changes by way of factories and fixtures, and not these; what
// no test is known to use is named itself, for who runs it is not known.
func TestTestsByWayOfWhatSupportsThem(t *testing.T) {
	for _, c := range supported {
		t.Run(c.server, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, c.archive, c.server)
			answer := enginetest.Do(t, s, api.Impact, api.ImpactRequest{Files: []string{c.service}, Limits: api.Limits{TimeoutMS: 60_000}})
			if diff := cmp.Diff(c.want, answer.TestFiles); diff != "" {
				t.Errorf("impact %v (-want +got):\n%s", answer.Notes, diff)
			}
			tests := enginetest.Do(t, s, api.TestsFor, api.TestsRequest{Files: []string{c.service}, Limits: api.Limits{TimeoutMS: 60_000}})
			var files []string
			for _, f := range tests.Files[0].Tests {
				files = append(files, f.Path)
			}
			if diff := cmp.Diff(c.want, files); diff != "" {
				t.Errorf("tests %v (-want +got):\n%s", tests.Notes, diff)
			}
		})
	}
}
