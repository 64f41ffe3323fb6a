// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/overloads.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

namespace {

using ::glslang::TFunction;
using ::glslang::TString;
using ::glslang::TSymbolTable;
using ::glslang::TSymbolTableLevel;

/// In the texts of overloads, names have a prefix: glslang refuses a function whose name is in its tables.
/// No shader may declare names that begin with gl_.
constexpr std::string_view kPrefix = "gl_TZo_";

/// The overloads of a function that the tables did not get at first.
struct Overloads {
    std::string common, stages[EShLangCount];
    uint32_t declared = 0;  // a bit for each stage whose table has them

    [[nodiscard]] bool any() const {
        return !common.empty() ||
               std::any_of(std::begin(stages), std::end(stages), [](auto& text) { return !text.empty(); });
    }
};

struct NameHash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
};

/// The functions of a version that have overloads. `lengths` has the bit n of a first character if a name
/// begins with it and has n characters: most words of a text are no function's name.
struct Functions {
    std::unordered_map<std::string, Overloads, NameHash, std::equal_to<>> by_name;
    std::array<uint32_t, 128> lengths{};

    [[nodiscard]] bool may_have(std::string_view word) const {
        return word.size() < 32 && (lengths[uint8_t(word[0]) & 127] >> word.size() & 1);
    }
};

// Never destroyed: other threads may compile while the process exits.
std::map<int, Functions>& g_versions = *new std::map<int, Functions>;

/// Calls `f` for each function with overloads that a string names, until it returns false.
template <class Table, class F>
bool for_each_named_in(Table& functions, std::string_view all, F&& f) {
    for (const char *at = all.data(), *const end = at + all.size(); at != end;) {
        if (!is_name(*at)) {
            ++at;
            continue;
        }
        const char* const begin = at;
        while (at != end && is_name(*at))
            ++at;
        const std::string_view word(begin, size_t(at - begin));
        if (!functions.may_have(word)) continue;
        const auto found = functions.by_name.find(word);
        if (found != functions.by_name.end() && !f(found->second)) return false;
    }
    return true;
}

/// The same for a text. One that may split names counts as one that has all of them.
template <class Table, class F>
bool for_each_named(Table& functions, const ParserText& text, F&& f) {
    if (lines_continue(text.text)) {
        for (auto& [name, overloads] : functions.by_name)
            if (!f(overloads)) return false;
        return true;
    }
    return for_each_named_in(functions, text.preamble, f) && for_each_named_in(functions, text.text, f);
}

/// ESSL before 3.10 has two stages.
bool has_tables(int version, unsigned stage) {
    return version >= 310 || stage == EShLangVertex || stage == EShLangFragment;
}

/// Gives access to protected members.
struct Levels : TSymbolTable {
    static auto of(TSymbolTable& symbols) -> std::vector<TSymbolTableLevel*>& {
        return symbols.*(&Levels::table);
    }
};
struct Symbols : TSymbolTableLevel {
    static const auto& of(const TSymbolTableLevel& level) { return level.*(&Symbols::level); }
};

/// Allocates in another pool for the time of a scope.
class InPool {
  public:
    explicit InPool(::glslang::TPoolAllocator& pool) : before_(::glslang::GetThreadPoolAllocator()) {
        ::glslang::SetThreadPoolAllocator(&pool);
    }
    ~InPool() { ::glslang::SetThreadPoolAllocator(&before_); }
    InPool(const InPool&) = delete;
    InPool& operator=(const InPool&) = delete;

  private:
    ::glslang::TPoolAllocator& before_;
};

/// The declaration of a function in the tables that all texts share: it has the operator and extensions.
const TFunction* shared_declaration(const std::vector<TSymbolTableLevel*>& levels, const TString& name) {
    ::glslang::TVector<const TFunction*> found;
    for (const int level : {0, 1})
        levels[size_t(level)]->findFunctionNameList(name + "(", found);
    return found.empty() ? nullptr : found.front();
}

}  // namespace

std::string_view function_of(std::string_view declaration) {
    size_t end = declaration.find('(');
    if (end == declaration.npos || declaration.find('=') < end) return {};
    while (end > 0 && declaration[end - 1] == ' ')
        --end;
    size_t begin = end;
    while (begin > 0 && declaration[begin - 1] != ' ' && declaration[begin - 1] != '\n')
        --begin;
    return declaration.substr(begin, end - begin);
}

void take_overloads(int version, TString& common, TString* stages) {
    Functions& functions = g_versions[version];
    functions = {};
    std::map<std::string_view, uint32_t> declared;  // a bit for each stage with a declaration
    const auto take = [&](TString& text, uint32_t of_stages, auto&& overloads_of) {
        const TString whole = text;
        text.clear();
        for_each_declaration({whole.c_str(), whole.size()}, [&](std::string_view declaration) {
            const std::string_view name = function_of(declaration);
            if (!name.empty()) {
                const auto [entry, first] = functions.by_name.try_emplace(std::string(name));
                uint32_t& known = declared[entry->first];
                if ((known & of_stages) == of_stages) {
                    std::string& overloads = overloads_of(entry->second);
                    overloads.append(declaration.substr(0, size_t(name.data() - declaration.data())));
                    overloads.append(kPrefix);
                    overloads.append(declaration.substr(size_t(name.data() - declaration.data())));
                    return;
                }
                known |= of_stages;
            }
            text.append(declaration.data(), declaration.size());
        });
    };
    take(common, (1u << EShLangCount) - 1, [](Overloads& o) -> std::string& { return o.common; });
    for (int stage = 0; stage < EShLangCount; ++stage)
        take(stages[stage], 1u << stage, [&](Overloads& o) -> std::string& { return o.stages[stage]; });
    std::erase_if(functions.by_name, [](const auto& entry) { return !entry.second.any(); });
    for (const auto& [name, overloads] : functions.by_name)
        if (name.size() < 32) functions.lengths[uint8_t(name[0]) & 127] |= 1u << name.size();
}

bool overloads_declared(int version, const ParserText& text) {
    const auto functions = g_versions.find(version);
    if (functions == g_versions.end() || !has_tables(version, text.stage)) return true;
    return for_each_named(functions->second, text,
                          [&](const Overloads& o) { return (o.declared >> text.stage & 1) != 0; });
}

void append_overloads(int version, const ParserText& text, TString& to) {
    if (!has_tables(version, text.stage)) return;
    for_each_named(g_versions[version], text, [&](Overloads& o) {
        if (o.declared >> text.stage & 1) return true;
        o.declared |= 1u << text.stage;
        const std::string& of_stage = o.stages[text.stage];
        to.append(o.common.data(), o.common.size()).append(of_stage.data(), of_stage.size());
        return true;
    });
}

void keep_overloads(TSymbolTable& symbols) {
    const std::vector<TSymbolTableLevel*>& levels = Levels::of(symbols);
    if (levels.size() < 3) return;
    TSymbolTableLevel& kept = *levels[1];
    const TString prefix(kPrefix.data(), kPrefix.size());
    for (const auto& [mangled, symbol] : Symbols::of(*levels[2])) {
        const TFunction* const parsed = symbol->getAsFunction();
        if (!parsed || mangled.compare(0, prefix.size(), prefix) != 0) continue;
        const InPool of_process(Symbols::of(kept).get_allocator().getAllocator());
        TFunction* const function = parsed->clone();
        function->changeName(::glslang::NewPoolTString(parsed->getName().c_str() + prefix.size()));
        function->removePrefix(prefix);
        if (const TFunction* const model = shared_declaration(levels, function->getName())) {
            function->relateToOperator(model->getBuiltInOp());
            if (model->getNumExtensions() > 0)
                function->setExtensions(model->getNumExtensions(), model->getExtensions());
        }
        function->makeReadOnly();
        kept.insert(*function, false);
    }
}

void forget_overloads() {
    g_versions.clear();
}

}  // namespace terrazzo::shaders::glsl
