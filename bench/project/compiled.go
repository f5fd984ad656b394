package project

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// crateModules are those of a crate, the first of the graph: cargo checks all of them
// each time.
const crateModules = 100

// writeRust writes one crate. Its servers judge what is on disk.
func writeRust(_ context.Context, dir string) (Project, error) {
	files := map[string]string{
		"Cargo.toml": "[package]\nname = \"bench\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		// Without it cargo's first check writes it, and rust-analyzer loads the project again, which ends a check that is running.
		"Cargo.lock": "version = 4\n\n[[package]]\nname = \"bench\"\nversion = \"0.1.0\"\n",
	}
	const marker = "    //marker\n"
	imports := graph()
	var crate strings.Builder
	for i := range crateModules {
		area := fmt.Sprintf("src/area%02d/mod.rs", folder(i))
		if i%perFolder == 0 {
			fmt.Fprintf(&crate, "pub mod area%02d;\n", folder(i))
		}
		files[area] += fmt.Sprintf("pub mod module%03d;\n", i)
		files[rustName(i)] = rustModule(i, imports[i], marker)
	}
	files["src/lib.rs"] = crate.String()
	p, err := writeAround(dir, files, rustName(hub), marker,
		func(name string) string { return fmt.Sprintf("    let _%s: i32 = %q;\n", name, "no number") },
		func(name string) string { return fmt.Sprintf("    let _%s: i32 = 1;\n", name) })
	p.Saved = true
	return p, err
}

// writeAround writes files without the marker, which is where the edits of one of
// them come.
func writeAround(dir string, files map[string]string, edited, marker string, wrong, right func(name string) string) (Project, error) {
	for name, text := range files {
		if err := writeFile(dir, name, strings.Replace(text, marker, "", 1)); err != nil {
			return Project{}, err
		}
	}
	return Project{
		Root: dir,
		File: filepath.Join(dir, filepath.FromSlash(edited)),
		edit: probes(files[edited], marker, wrong, right),
	}, nil
}

func rustName(i int) string { return fmt.Sprintf("src/area%02d/module%03d.rs", folder(i), i) }

func rustModule(i int, imports []int, marker string) string {
	var b strings.Builder
	for _, to := range imports {
		fmt.Fprintf(&b, "use crate::area%02d::module%03d::{combine%[2]d, score%[2]d, Item%[2]d, Shelf%[2]d};\n", folder(to), to)
	}
	fmt.Fprintf(&b, `use std::collections::BTreeMap;

/// What lies on a shelf.
#[derive(Clone, Debug, Default)]
pub struct Item%[1]d {
    pub id: String,
    pub weight: f64,
    pub tags: Vec<String>,
}

#[derive(Default)]
pub struct Shelf%[1]d {
    items: BTreeMap<String, Item%[1]d>,
}

impl Shelf%[1]d {
    pub fn add(&mut self, item: Item%[1]d) -> &mut Self {
        self.items.insert(item.id.clone(), item);
        self
    }

    pub fn find(&self, id: &str) -> Option<&Item%[1]d> {
        self.items.get(id)
    }

    pub fn visit<T>(&self, visitor: impl Fn(&Item%[1]d, usize) -> T) -> Vec<T> {
        self.items.values().enumerate().map(|(depth, item)| visitor(item, depth)).collect()
    }
}

pub fn score%[1]d(item: &Item%[1]d, factor: f64) -> f64 {
    item.tags.iter().fold(item.weight * factor, |sum, tag| sum + tag.len() as f64)
}

pub fn combine%[1]d(left: &Item%[1]d, right: &Item%[1]d) -> Item%[1]d {
    let tags = left.tags.iter().chain(&right.tags).cloned().collect();
    Item%[1]d { id: format!("{}+{}", left.id, right.id), weight: left.weight + right.weight, tags }
}
`, i)
	for _, to := range imports {
		fmt.Fprintf(&b, `
pub fn from%d(item: &Item%[1]d, shelf: &Shelf%[1]d) -> Item%[2]d {
    let whole = combine%[1]d(item, shelf.find(&item.id).unwrap_or(item));
    Item%[2]d { weight: score%[1]d(&whole, 2.0), tags: whole.tags, id: whole.id }
}
`, to, i)
	}
	fmt.Fprintf(&b, `
pub fn summary%[1]d(shelf: &Shelf%[1]d) -> Vec<(String, f64)> {
%[2]s    shelf.visit(|item, depth| (item.id.clone(), score%[1]d(item, 1.0) + depth as f64))
}
`, i, marker)
	return b.String()
}

// writeJava writes a project as Eclipse knows it: no build tool is asked.
func writeJava(_ context.Context, dir string) (Project, error) {
	files := map[string]string{
		".project": `<?xml version="1.0" encoding="UTF-8"?>
<projectDescription><name>bench</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec><natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>
`,
		".classpath": `<?xml version="1.0" encoding="UTF-8"?>
<classpath><classpathentry kind="src" path="src"/><classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="bin"/></classpath>
`,
	}
	const marker = "        //marker\n"
	imports := graph()
	for i := range imports {
		files[javaName(i)] = javaClass(i, imports[i], marker)
	}
	return writeAround(dir, files, javaName(hub), marker,
		func(name string) string { return fmt.Sprintf("        int %s = %q;\n", name, "no number") },
		func(name string) string { return fmt.Sprintf("        int %s = 1;\n", name) })
}

func javaName(i int) string { return fmt.Sprintf("src/area%02d/Module%03d.java", folder(i), i) }

func javaClass(i int, imports []int, marker string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package area%02d;\n\n", folder(i))
	for _, to := range imports {
		if folder(to) != folder(i) {
			fmt.Fprintf(&b, "import area%02d.Module%03d;\n", folder(to), to)
		}
	}
	fmt.Fprintf(&b, `import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** What lies on a shelf, and the shelf. */
public class Module%03[1]d {
    public static class Item {
        public final String id;
        public final double weight;
        public final List<String> tags = new ArrayList<>();

        public Item(String id, double weight) {
            this.id = id;
            this.weight = weight;
        }
    }

    private final Map<String, Item> items = new TreeMap<>();

    public Module%03[1]d add(Item item) {
        items.put(item.id, item);
        return this;
    }

    public Item find(String id) {
        return items.get(id);
    }

    public <T> List<T> visit(BiFunction<Item, Integer, T> visitor) {
        List<T> result = new ArrayList<>();
        items.values().forEach(item -> result.add(visitor.apply(item, result.size())));
        return result;
    }

    public static double score(Item item, double factor) {
        return item.weight * factor + item.tags.stream().mapToInt(String::length).sum();
    }

    public static Item combine(Item left, Item right) {
        Item whole = new Item(left.id + "+" + right.id, left.weight + right.weight);
        whole.tags.addAll(left.tags);
        whole.tags.addAll(right.tags);
        return whole;
    }
`, i)
	for _, to := range imports {
		fmt.Fprintf(&b, `
    public static Item from%03[1]d(Module%03[1]d.Item item, Module%03[1]d shelf) {
        Module%03[1]d.Item whole = Module%03[1]d.combine(item, shelf.find(item.id));
        return new Item(whole.id, Module%03[1]d.score(whole, 2));
    }
`, to)
	}
	fmt.Fprintf(&b, `
    public Map<String, Double> summary() {
        Map<String, Double> result = new TreeMap<>();
        visit((item, depth) -> result.put(item.id, score(item, 1) + depth));
%s        return result;
    }
}
`, marker)
	return b.String()
}
