// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/macros.h"

#include "shaders/glsl/type.h"

namespace terrazzo::shaders::glsl {

namespace {
constexpr uint64_t kKeptWords = 4;  // the cost of a stored text, in words
constexpr std::string_view kLine = "__LINE__", kFile = "__FILE__", kVersion = "__VERSION__";

bool is_predefined(std::string_view s) {
    return s == kLine || s == kFile || s == kVersion;
}
std::string quoted(std::string_view s) {
    return "'" + std::string(s) + "' : ";
}
}  // namespace

/// The tokens that are left to expand: expansions of macros, followed by the text after their calls.
struct Macros::Source {
    struct Run {
        std::span<const MacroToken> tokens;
        std::vector<MacroToken> own;  // empty: the tokens belong to someone else
    };
    explicit Source(std::span<const MacroToken> tokens) { runs.push_back({tokens, {}}); }
    void push(std::vector<MacroToken>&& tokens) {
        Run run{{}, std::move(tokens)};
        run.tokens = run.own;
        runs.push_back(std::move(run));
    }
    [[nodiscard]] const MacroToken* peek() {
        while (!runs.empty() && runs.back().tokens.empty()) {
            runs.pop_back();
            apart = true;
        }
        return runs.empty() ? nullptr : &runs.back().tokens.front();
    }
    /// Only after peek() returned a token.
    MacroToken take() {
        MacroToken t = runs.back().tokens.front();
        runs.back().tokens = runs.back().tokens.subspan(1);
        if (apart) t.glued = false;
        apart = false;
        return t;
    }
    std::vector<Run> runs;
    bool apart = false;  // there is space before the next token
};

struct Macros::Call {
    struct Argument {
        std::vector<MacroToken> tokens, expanded;
        bool is_expanded = false;
    };
    std::vector<Argument> arguments;
    HideSets::Id end_hidden = 0;  // the closing bracket's
};

bool Macros::fail(uint32_t line, std::string message) {
    if (error_.line == 0) error_ = {line, std::move(message)};
    return false;
}

bool Macros::count(uint64_t tokens, uint32_t line) {
    work_ += tokens;
    if (work_ + hide_.cost() <= kMaxMacroWork) return true;
    return fail(line, "Terrazzo: the shader is too long once its macros are expanded: more than " +
                          std::to_string(kMaxMacroWork) + " words are moved");
}

void Macros::predefine(std::string_view name, std::string value) {
    Macro m;
    m.id = ids_.try_emplace(name, uint32_t(ids_.size() + 1)).first->second;
    m.predefined = true;
    m.body.push_back({{kept(std::move(value)), 0, 0, false, false}, -1});
    table_.insert_or_assign(name, std::move(m));
}

void Macros::set_place(int64_t line_offset, int64_t file) {
    line_offset_ = line_offset;
    file_ = kept(std::to_string(file));
}

/// ESSL 3.00 section 3.4. In 1.00, two underscores are an error, too, but programs use them.
bool Macros::check_name(const Token& name, const char* directive, int version) {
    const std::string_view s = name.text;
    if (!name.name) return fail(name.line, quoted(directive) + "must be followed by macro name");
    if (s.substr(0, 3) == "GL_")
        return fail(name.line, quoted(directive) +
                                   "names beginning with \"GL_\" can't be (un)defined: " + std::string(s));
    if (s == "defined")
        return fail(name.line, quoted(directive) + "\"defined\" can't be (un)defined: " + std::string(s));
    if (is_predefined(s))
        return fail(name.line,
                    quoted(directive) + "predefined names can't be (un)defined: " + std::string(s));
    if (s.find("__") != s.npos)
        warnings_.push_back(
            {name.line, (version < 300 ? quoted(s) + "identifiers" : quoted(directive) + "names") +
                            " containing consecutive underscores are reserved" +
                            (version < 300 ? "" : ": " + std::string(s))});
    return true;
}

/// `line` begins with the name.
bool Macros::parse(std::span<const Token> line, Macro& m) {
    size_t i = 1;
    if (line.size() > 1 && line[1].text == "(" && line[1].glued) {
        m.function = true;
        for (i = 2; i < line.size() && (line[i].text != ")" || !m.parameters.empty()); ++i) {
            if (!line[i].name) return fail(line[i].line, "'#define' : bad argument");
            if (std::find(m.parameters.begin(), m.parameters.end(), line[i].text) != m.parameters.end())
                return fail(line[i].line,
                            "'#define' : duplicate macro parameter " + std::string(line[i].text));
            m.parameters.push_back(line[i].text);
            if (++i >= line.size() || line[i].text != ",") break;
        }
        if (i >= line.size() || line[i].text != ")")
            return fail(line[0].line, "'#define' : missing parenthesis");
        ++i;
    } else if (line.size() > 1 && line[1].glued) {
        warnings_.push_back({line[0].line, "'#define' : missing space after macro name"});
    }
    std::unordered_map<std::string_view, int> numbers;
    for (const std::string_view p : m.parameters)
        numbers.emplace(p, int(numbers.size()));
    for (; i < line.size(); ++i) {
        const auto at = line[i].name ? numbers.find(line[i].text) : numbers.end();
        m.body.push_back({macro_token(line[i]), at == numbers.end() ? -1 : at->second});
        if (i > 1 && line[i].text == "#" && line[i - 1].text == "#" && line[i].glued)
            return fail(line[i].line, "'##' : token pasting is not in GLSL ES");
    }
    return true;
}

bool Macros::same(const Macro& a, const Macro& b, std::string& how) {
    if (a.function != b.function)
        how = "function-like versus object-like: ";
    else if (a.parameters.size() != b.parameters.size())
        how = "different number of arguments: ";
    else if (a.parameters != b.parameters)
        how = "different argument names: ";
    else if (!std::equal(a.body.begin(), a.body.end(), b.body.begin(), b.body.end(),
                         [&](const BodyToken& x, const BodyToken& y) {
                             const bool first = &x == &a.body.front();
                             return x.token.text == y.token.text && (first || x.token.glued == y.token.glued);
                         }))
        how = "different substitutions: ";
    return how.empty();
}

void Macros::define(std::span<const Token> line, int version) {
    if (line.empty()) return;  // the caller reports it
    const Token& name = line[0];
    Macro m;
    if (!check_name(name, "#define", version) || !parse(line, m)) return;
    m.id = ids_.try_emplace(name.text, uint32_t(ids_.size() + 1)).first->second;
    const auto [at, fresh] = table_.try_emplace(name.text);
    std::string how;
    if (!fresh && !same(at->second, m, how))
        fail(name.line, "'#define' : Macro redefined; " + how + std::string(name.text));
    at->second = std::move(m);
}

void Macros::undefine(const Token& name, int version) {
    if (check_name(name, "#undef", version)) table_.erase(name.text);
}

bool Macros::expand(std::span<const MacroToken> in, bool condition, std::vector<MacroToken>& out) {
    if (error_.line) return false;
    const DepthScope depth(depth_);
    if (depth_ > kMaxMacroArguments + 1)
        return fail(in.empty() ? 1 : in[0].line, "Terrazzo: arguments of macros nested more than " +
                                                     std::to_string(kMaxMacroArguments) + " deep");
    Source source(in);
    return expand_in(source, condition, out);
}

bool Macros::expand_in(Source& source, bool condition, std::vector<MacroToken>& out) {
    while (source.peek()) {
        MacroToken t = source.take();
        const auto at = t.name ? table_.find(t.text) : table_.end();
        if (condition && t.name && t.text == "defined") {
            if (!defined_operator(source, t, out)) return false;
            continue;
        }
        if (at == table_.end() || hide_.has(t.hidden, at->second.id)) {
            out.push_back(t);
            continue;
        }
        const Macro& m = at->second;
        std::vector<MacroToken> body;
        if (!m.function) {
            if (!substitute(t, m, t.hidden, nullptr, condition, body)) return false;
        } else {
            const MacroToken* const next = source.peek();
            if (!next || next->text != "(") {
                out.push_back(t);
                continue;
            }
            Call call;
            if (!read_call(source, t, m, call)) return false;
            if (!substitute(t, m, hide_.intersect(t.hidden, call.end_hidden), &call, condition, body))
                return false;
        }
        source.push(std::move(body));
    }
    return true;
}

/// `defined X` or `defined(X)`: X is not expanded.
bool Macros::defined_operator(Source& source, const MacroToken& at, std::vector<MacroToken>& out) {
    const auto next = [&](std::string_view wanted) {
        const MacroToken* const t = source.peek();
        if (!t || (wanted.empty() ? !t->name : t->text != wanted)) return false;
        return true;
    };
    const bool bracket = next("(");
    if (bracket) (void)source.take();
    if (!next("")) return fail(at.line, "'defined' : incorrect directive, expected identifier");
    const MacroToken name = source.take();
    if (bracket) {
        if (!next(")")) return fail(at.line, "'defined' : expected ')'");
        (void)source.take();
    }
    out.push_back({defined(name.text) ? "1" : "0", at.line, 0, false, false});
    return true;
}

/// Reads the arguments of a call; its opening bracket is next.
bool Macros::read_call(Source& source, const MacroToken& name, const Macro& m, Call& call) {
    (void)source.take();
    call.arguments.emplace_back();
    for (unsigned nesting = 0;;) {
        if (!source.peek())
            return fail(name.line, quoted(name.text) + "the macro's call has no closing bracket");
        MacroToken t = source.take();
        if (!count(1, name.line)) return false;
        if (t.text == ")" && nesting-- == 0) {
            call.end_hidden = t.hidden;
            break;
        }
        if (t.text == "(") ++nesting;
        if (t.text == "," && nesting == 0)
            call.arguments.emplace_back();
        else
            call.arguments.back().tokens.push_back(t);
    }
    const bool none = call.arguments.size() == 1 && call.arguments[0].tokens.empty();
    const size_t given = none && m.parameters.empty() ? 0 : call.arguments.size();
    if (given == m.parameters.size()) return true;
    return fail(name.line, quoted(name.text) + "Too " + (given < m.parameters.size() ? "few" : "many") +
                               " args in macro: " + std::to_string(given) + " for " +
                               std::to_string(m.parameters.size()));
}

/// Substitutes a macro's name or call. `hidden`: the intersection of the sets of both ends.
bool Macros::substitute(const MacroToken& name, const Macro& m, HideSets::Id hidden, Call* call,
                        bool condition, std::vector<MacroToken>& out) {
    const HideSets::Id own = hide_.add(hidden, m.id);
    if (hide_.size(own) > kMaxMacroDepth)
        return fail(name.line,
                    "Terrazzo: macros nested more than " + std::to_string(kMaxMacroDepth) + " deep");
    bool apart = true;
    for (const BodyToken& b : m.body) {
        if (b.parameter < 0) {
            MacroToken t = b.token;
            t.line = name.line;
            t.hidden = own;
            if (apart) t.glued = false;
            apart = false;
            if (m.predefined && name.text == kLine) {
                t.text = kept(std::to_string(int64_t(name.line) + line_offset_));
                if (!count(kKeptWords, name.line)) return false;
            }
            if (m.predefined && name.text == kFile) t.text = file_;
            out.push_back(t);
            continue;
        }
        Call::Argument& a = call->arguments[size_t(b.parameter)];
        if (!a.is_expanded && !expand(a.tokens, condition, a.expanded)) return false;
        a.is_expanded = true;
        if (!count(a.expanded.size(), name.line)) return false;
        const size_t first = out.size();
        out.insert(out.end(), a.expanded.begin(), a.expanded.end());
        for (size_t i = first; i < out.size(); ++i)
            out[i].hidden = hide_.unite(out[i].hidden, own);
        if (first < out.size()) out[first].glued = false;
        apart = true;
    }
    return count(out.size(), name.line);
}

}  // namespace terrazzo::shaders::glsl
