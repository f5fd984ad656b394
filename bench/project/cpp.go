package project

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// Half of the modules' number are pairs of a header and a source: 300 files.
const pairs = modules / 2

func writeCPP(_ context.Context, dir string) (Project, error) {
	// Relative to the folder of this file, so that the tree can be moved.
	files := map[string]string{"compile_flags.txt": "-std=c++17\n-Wall\n-Iinclude\n"}
	const marker = "  //marker\n"
	imports := graph()
	for i := range pairs {
		files[cppHeader(i)] = cppHeaderText(i, imports[i])
		files[cppSource(i)] = cppSourceText(i, imports[i], marker)
	}
	hubText := files[cppSource(hub)]
	for name, text := range files {
		if err := writeFile(dir, name, strings.Replace(text, marker, "", 1)); err != nil {
			return Project{}, err
		}
	}
	return Project{
		Root: dir,
		File: filepath.Join(dir, filepath.FromSlash(cppSource(hub))),
		edit: probes(hubText, marker,
			func(name string) string { return fmt.Sprintf("  int %s = %q;\n  (void)%[1]s;\n", name, "no number") },
			func(name string) string { return fmt.Sprintf("  int %s = 1;\n  (void)%[1]s;\n", name) }),
	}, nil
}

func cppInclude(i int) string { return fmt.Sprintf("area%02d/module%03d.h", folder(i), i) }
func cppHeader(i int) string  { return "include/" + cppInclude(i) }
func cppSource(i int) string  { return fmt.Sprintf("src/area%02d/module%03d.cc", folder(i), i) }

func cppHeaderText(i int, imports []int) string {
	var b strings.Builder
	b.WriteString("#pragma once\n\n#include <functional>\n#include <map>\n#include <optional>\n#include <string>\n#include <vector>\n\n")
	for _, to := range imports {
		fmt.Fprintf(&b, "#include %q\n", cppInclude(to))
	}
	fmt.Fprintf(&b, `
namespace module%[1]d {

enum class State { kFresh, kUsed, kGone };

struct Item {
  std::string id;
  double weight = 0;
  std::vector<std::string> tags;
};

class Shelf {
 public:
  explicit Shelf(std::string name, std::size_t capacity = 16);
  Shelf& Add(Item item);
  std::optional<Item> Find(const std::string& id) const;

  template <typename T>
  std::vector<T> Visit(const std::function<T(const Item&, int)>& visitor) const {
    std::vector<T> results;
    int depth = 0;
    for (const auto& entry : items_) results.push_back(visitor(entry.second, depth++));
    return results;
  }

 private:
  std::string name_;
  std::size_t capacity_;
  State state_ = State::kFresh;
  std::map<std::string, Item> items_;
};

double Score(const Item& item, double factor = 1);
Item Combine(const Item& left, const Item& right);
std::map<std::string, double> Summary(const Shelf& shelf);
`, i)
	for _, to := range imports {
		fmt.Fprintf(&b, "Item From%d(const module%[1]d::Item& item, const module%[1]d::Shelf& shelf);\n", to)
	}
	fmt.Fprintf(&b, "\n}  // namespace module%d\n", i)
	return b.String()
}

func cppSourceText(i int, imports []int, marker string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `#include %[2]q

#include <stdexcept>
#include <utility>

namespace module%[1]d {

Shelf::Shelf(std::string name, std::size_t capacity) : name_(std::move(name)), capacity_(capacity) {}

Shelf& Shelf::Add(Item item) {
  if (items_.size() >= capacity_) throw std::length_error(name_ + " is full");
  items_[item.id] = std::move(item);
  state_ = State::kUsed;
  return *this;
}

std::optional<Item> Shelf::Find(const std::string& id) const {
  auto found = items_.find(id);
  if (found == items_.end()) return std::nullopt;
  return found->second;
}

double Score(const Item& item, double factor) {
  double total = item.weight * factor;
  for (const auto& tag : item.tags) total += static_cast<double>(tag.size());
  return total;
}

Item Combine(const Item& left, const Item& right) {
  Item whole{left.id + "+" + right.id, left.weight + right.weight, left.tags};
  whole.tags.insert(whole.tags.end(), right.tags.begin(), right.tags.end());
  return whole;
}

std::map<std::string, double> Summary(const Shelf& shelf) {
  std::map<std::string, double> result;
  shelf.Visit<int>([&](const Item& item, int depth) {
    result[item.id] = Score(item) + depth;
    return depth;
  });
%[3]s  return result;
}
`, i, cppInclude(i), marker)
	for _, to := range imports {
		fmt.Fprintf(&b, `
Item From%d(const module%[1]d::Item& item, const module%[1]d::Shelf& shelf) {
  auto whole = module%[1]d::Combine(item, shelf.Find(item.id).value_or(item));
  return Item{whole.id, module%[1]d::Score(whole, 2), whole.tags};
}
`, to)
	}
	fmt.Fprintf(&b, "\n}  // namespace module%d\n", i)
	return b.String()
}
