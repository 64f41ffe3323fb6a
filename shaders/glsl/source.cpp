// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The look at the text: see source.h. What is changed in it:
//   - glslang knows more extensions than we do and defines a macro for each; their names in #extension, #if,
//   #ifdef and
//     #ifndef lines become TZ_... instead of GL_..., which it does not know;
//   - ESSL 1.00 reserves names with two underscores; glslang makes them an error, programs use them: they get
//   other names;
//   - GL_EXT_draw_buffers, GL_EXT_draw_instanced and GL_EXT_shader_framebuffer_fetch, which glslang does not
//     know, have their macros, #extension lines and variables handled here;
//   - macros of extensions that glslang knows are defined where the text names them (amend.cpp takes
//   glslang's own definitions of ESSL 1.00 away);
//   - glslang refuses `defined` where a macro brings it into #if, and does not count __VERSION__ and its kin
//   as defined:
//     the macro's text, or 1, is put in their place.
#include "shaders/glsl/source.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "shaders/glsl/extensions.h"

namespace terrazzo::shaders::glsl {

namespace {

/// Extensions that glslang does not know.
constexpr std::string_view kDrawBuffers = "GL_EXT_draw_buffers", kDrawInstanced = "GL_EXT_draw_instanced",
                           kFetch = "GL_EXT_shader_framebuffer_fetch",
                           kFetchNonCoherent = "GL_EXT_shader_framebuffer_fetch_non_coherent";
constexpr std::string_view kOwn[] = {kDrawBuffers, kDrawInstanced, kFetch, kFetchNonCoherent};
constexpr size_t kMaxText_B = 16u << 20;
constexpr unsigned kMaxNesting = 200;             // brackets of any kind inside one another
constexpr unsigned kMaxStatementTokens = 20'000;  // as they stand, and once macros are expanded
constexpr unsigned kMaxConditionTokens = 2'000;   // of an #if, once macros are expanded
constexpr unsigned kMaxOperatorRun = 200;         // operators without an operand between them
constexpr unsigned kMaxMacroDepth = 200;
constexpr uint64_t kMaxTokens = 2'000'000;  // after macro expansion
/// Tokens that are looked at to find that out: each definition changes what others may expand to.
constexpr uint64_t kMaxWeighed = 20'000'000;

struct Token {
    std::string_view text;
    uint32_t line;
    bool name;   // an identifier
    bool glued;  // no space before it
    bool first;  // of its line
};

bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_name(char c) {
    return is_name_start(c) || is_digit(c);
}

class Lexer {
  public:
    explicit Lexer(std::string_view s) : s_(s) {}

    bool next(Token& t) {
        const size_t before = at_;
        bool first = at_ == 0 || fresh_;
        if (skip_space()) first = true;
        fresh_ = false;
        if (at_ >= s_.size()) return false;
        const size_t begin = at_;
        if (is_name_start(s_[at_])) {
            while (at_ < s_.size() && is_name(s_[at_]))
                ++at_;
            t.name = true;
        } else if (is_digit(s_[at_]) || (s_[at_] == '.' && at_ + 1 < s_.size() && is_digit(s_[at_ + 1]))) {
            while (at_ < s_.size() && (is_name(s_[at_]) || s_[at_] == '.'))
                ++at_;
            t.name = false;
        } else {
            ++at_;
            t.name = false;
        }
        t.text = s_.substr(begin, at_ - begin);
        t.line = line_;
        t.glued = begin == before;
        t.first = first;
        return true;
    }

  private:
    /// True if a line ended.
    bool skip_space() {
        bool ended = false;
        while (at_ < s_.size()) {
            const char c = s_[at_];
            const char d = at_ + 1 < s_.size() ? s_[at_ + 1] : '\0';
            if (c == '\n' || c == '\r') {
                if (!(c == '\r' && d == '\n')) ++line_;
                ended = true;
                ++at_;
            } else if (c == ' ' || c == '\t' || c == '\v' || c == '\f') {
                ++at_;
            } else if (c == '\\' && (d == '\n' || d == '\r')) {
                at_ += d == '\r' && at_ + 2 < s_.size() && s_[at_ + 2] == '\n' ? 3 : 2;
                ++line_;
            } else if (c == '/' && d == '/') {
                while (at_ < s_.size() && s_[at_] != '\n' && s_[at_] != '\r')
                    ++at_;
            } else if (c == '/' && d == '*') {
                at_ += 2;
                while (at_ < s_.size() && !(s_[at_] == '*' && at_ + 1 < s_.size() && s_[at_ + 1] == '/')) {
                    if (s_[at_] == '\n') ++line_;
                    ++at_;
                }
                at_ = std::min(at_ + 2, s_.size());
            } else {
                break;
            }
        }
        return ended;
    }

    std::string_view s_;
    size_t at_ = 0;
    uint32_t line_ = 1;
    bool fresh_ = true;
};

/// An upper bound of how many tokens macros expand to.
class MacroBudget {
  public:
    void define(std::span<const Token> line) {  // behind "define"
        if (line.empty()) return;
        Macro m;
        size_t i = 1;
        if (line.size() > 1 && line[1].text == "(" && line[1].glued) {
            m.function = true;
            for (i = 2; i < line.size() && line[i].text != ")"; ++i)
                if (line[i].name) m.parameters.push_back(line[i].text);
            ++i;
        }
        for (; i < line.size(); ++i)
            m.body.push_back(line[i].text);
        macros_[line[0].text].push_back(std::move(m));
        weighed_.clear();
    }

    /// Cost of a run of tokens; `parameters` are those of the macro whose body it is.
    uint64_t weigh(std::span<const std::string_view> body, const std::vector<std::string_view>* parameters,
                   uint64_t& occurrences) {
        uint64_t cost = 0, factor = 1;
        if ((looked_at_ += body.size()) > kMaxWeighed) return kCap;
        std::vector<std::pair<unsigned, uint64_t>> open;  // depth and factor outside of enclosing macro calls
        unsigned depth = 0;
        for (size_t i = 0; i < body.size(); ++i) {
            const std::string_view t = body[i];
            if (t == "(") ++depth;
            if (t == ")") {
                if (depth) --depth;
                if (!open.empty() && open.back().first == depth) {
                    factor = open.back().second;
                    open.pop_back();
                }
            }
            if (parameters && std::find(parameters->begin(), parameters->end(), t) != parameters->end()) {
                occurrences = limit(occurrences + factor);
            } else if (auto it = macros_.find(t); it != macros_.end()) {
                const Weight w = weight(t, it->second);
                cost = limit(cost + limit(w.cost, factor));
                if (i + 1 < body.size() && body[i + 1] == "(") {
                    open.emplace_back(depth, factor);
                    factor = limit(factor, std::max<uint64_t>(1, w.factor));
                }
            } else {
                cost = limit(cost + factor);
            }
        }
        return cost;
    }
    [[nodiscard]] bool too_deep() const { return too_deep_; }
    [[nodiscard]] bool empty() const { return macros_.empty(); }

  private:
    struct Macro {
        bool function = false;
        std::vector<std::string_view> parameters, body;
    };
    struct Weight {
        uint64_t cost = 1, factor = 1;
    };
    static constexpr uint64_t kCap = uint64_t(1) << 40;
    static uint64_t limit(uint64_t x) { return std::min(x, kCap); }
    static uint64_t limit(uint64_t x, uint64_t y) { return x && y > kCap / x ? kCap : x * y; }

    Weight weight(std::string_view name, const std::vector<Macro>& definitions) {
        auto [it, fresh] = weighed_.try_emplace(name);
        if (!fresh) return it->second;
        if (++depth_ > kMaxMacroDepth) {
            too_deep_ = true;
            --depth_;
            return {};
        }
        Weight w;
        for (const Macro& m : definitions) {
            uint64_t occurrences = 0;
            w.cost = std::max(w.cost, weigh(m.body, &m.parameters, occurrences));
            w.factor = std::max(w.factor, occurrences);
            // A macro that becomes the name of another: the arguments are that one's.
            if (auto last = m.body.empty() ? macros_.end() : macros_.find(m.body.back());
                last != macros_.end())
                w.factor = std::max(w.factor, weight(last->first, last->second).factor);
        }
        --depth_;
        return weighed_[name] = w;
    }

    std::unordered_map<std::string_view, std::vector<Macro>> macros_;
    std::unordered_map<std::string_view, Weight> weighed_;
    uint64_t looked_at_ = 0;
    unsigned depth_ = 0;
    bool too_deep_ = false;
};

class Checker {
  public:
    Checker(std::string_view source, std::span<const std::string_view> extensions, ir::Stage stage)
        : source_(source), extensions_(extensions), stage_(stage) {}

    Source run() {
        Lexer lexer(source_);
        Token t;
        bool more = lexer.next(t);
        while (more && out_.error.empty()) {
            if (t.first && t.text == "#") {
                line_.clear();
                while ((more = lexer.next(t)) && !t.first)
                    line_.push_back(t);
                directive();
            } else {
                token(t);
                more = lexer.next(t);
            }
        }
        check_expanded(statement_first_, kMaxStatementTokens, 0, "a statement");
        if (out_.error.empty()) {
            uint64_t unused = 0;
            const uint64_t tokens = budget_.weigh(words_, nullptr, unused);
            if (tokens > kMaxTokens)
                fail(0, "Terrazzo: the shader is too long once its macros are expanded: more than " +
                            std::to_string(kMaxTokens) + " words");
            if (budget_.too_deep())
                fail(0, "Terrazzo: macros nested more than " + std::to_string(kMaxMacroDepth) + " deep");
        }
        for (const std::string_view name : named_)
            out_.preamble += "#define " + std::string(name) + " 1\n";
        declare_own();
        apply_edits();
        for (auto& [name, alias] : aliases_)
            out_.renamed.emplace_back(alias, name);
        return std::move(out_);
    }

  private:
    struct Edit {
        size_t at, length;
        std::string text;
    };

    void fail(uint32_t line, const std::string& message) {
        if (out_.error.empty()) out_.error = "ERROR: 0:" + std::to_string(line) + ": " + message + "\n";
    }

    void edit(std::string_view what, std::string with) {
        edits_.push_back({size_t(what.data() - source_.data()), what.size(), std::move(with)});
    }

    void apply_edits() {
        size_t done = 0;
        for (const Edit& e : edits_) {
            if (e.at < done) continue;
            out_.text.append(source_, done, e.at - done);
            out_.text += e.text;
            done = e.at + e.length;
        }
        out_.text.append(source_, done);
    }

    /// The variables of our own extensions that the text names.
    void declare_own() {
        if (names_instance_) {
            out_.preamble += "uniform highp int " + std::string(kInstanceId) + ";\n";
            out_.renamed.emplace_back(kInstanceId, "gl_InstanceIDEXT");
        }
        if (names_last_) {
            out_.preamble += "uniform " + std::string(last_precision_) + " vec4 " +
                             std::string(kLastFragData) + "[gl_MaxDrawBuffers];\n";
            out_.renamed.emplace_back(kLastFragData, "gl_LastFragData");
        }
    }

    /// gl_InstanceIDEXT and gl_LastFragData get the names of what stands for them. The latter may be declared
    /// again, with another precision or a layout: that statement is taken out.
    void own_variable(const Token& t) {
        if (nesting_ == 0) global_.push_back(t.text);
        if (draw_instanced_ && t.text == "gl_InstanceIDEXT") {
            names_instance_ = true;
            edit(t.text, std::string(kInstanceId));
        } else if (fetch_ && t.text == "gl_LastFragData") {
            names_last_ = true;
            redeclares_ = nesting_ == 0 && global_.size() > 1 && global_[global_.size() - 2] == "vec4";
            if (!redeclares_) edit(t.text, std::string(kLastFragData));
        }
        if (nesting_ || (t.text != ";" && t.text != "}")) return;
        if (redeclares_ && t.text == ";") {
            for (const std::string_view s : {"lowp", "mediump", "highp"})
                if (std::find(global_.begin(), global_.end(), s) != global_.end()) last_precision_ = s;
            // Through the brackets, too, but not over line ends.
            const char *at = global_.front().data(), *const end = t.text.data() + 1;
            while (at < end) {
                const char* run = at;
                while (run < end && *run != '\n' && *run != '\r')
                    ++run;
                if (run > at) edit({at, size_t(run - at)}, "");
                at = run + 1;
            }
        }
        redeclares_ = false;
        global_.clear();
    }

    /// Sees every token: the macros of extensions that the text names.
    void look_for_extension(std::string_view name) {
        if (name.substr(0, 3) != "GL_" || !enabled(name)) return;
        const auto in = [&](std::span<const std::string_view> list) {
            return std::find(list.begin(), list.end(), name) != list.end();
        };
        if ((in(kOwn) || in(kGlslangExtensions)) && !in(named_)) named_.push_back(name);
    }

    void token(const Token& t) {
        words_.push_back(t.text);
        look_for_extension(t.text);
        own_variable(t);
        rename(t);
        const char c = t.text[0];
        if (c == '(' || c == '[' || c == '{') ++nesting_;
        if ((c == ')' || c == ']' || c == '}') && nesting_) --nesting_;
        if (nesting_ > kMaxNesting)
            fail(t.line, "Terrazzo: brackets nested more than " + std::to_string(kMaxNesting) + " deep");
        if (c == ';' || c == '{' || c == '}') {
            check_expanded(statement_first_, kMaxStatementTokens, t.line, "a statement");
            statement_first_ = words_.size();
            statement_ = 0;
        }
        if (++statement_ > kMaxStatementTokens)
            fail(t.line,
                 "Terrazzo: a statement of more than " + std::to_string(kMaxStatementTokens) + " words");
        const bool oper = std::string_view("+-!~").find(c) != std::string_view::npos;
        operators_ = oper ? operators_ + 1 : 0;
        if (operators_ > kMaxOperatorRun)
            fail(t.line, "Terrazzo: more than " + std::to_string(kMaxOperatorRun) + " operators in a row");
        if (c == ';') invariant_ = false;
        if (t.text == "invariant") invariant_ = true;
        if (invariant_ && t.text.substr(0, 3) == "gl_") out_.invariant_builtins.emplace_back(t.text);
    }

    /// glslang's recursion follows a statement's operators, whichever macro they come from.
    void check_expanded(size_t first_word, unsigned limit, uint32_t line, const char* what) {
        uint64_t unused = 0;
        if (budget_.empty() || !out_.error.empty()) return;
        if (budget_.weigh(std::span(words_).subspan(first_word), nullptr, unused) <= limit) return;
        fail(line, std::string("Terrazzo: ") + what + " has more than " + std::to_string(limit) +
                       " words once its macros are expanded");
    }

    void rename(const Token& t) {
        if (!t.name || version_ >= 300 || t.text.find("__") == std::string_view::npos) return;
        if (is_predefined(t.text) || t.text.substr(0, 3) == "gl_") return;
        auto [it, fresh] = aliases_.try_emplace(std::string(t.text));
        if (fresh) {
            it->second = "TZu" + std::to_string(aliases_.size()) + "_";
            out_.warning += "WARNING: 0:" + std::to_string(t.line) + ": '" + it->first +
                            "' : identifiers containing consecutive underscores are reserved\n";
        }
        edit(t.text, it->second);
    }

    static bool is_predefined(std::string_view s) {
        return s == "__LINE__" || s == "__FILE__" || s == "__VERSION__";
    }

    void directive() {
        if (line_.empty()) return;
        for (const Token& t : line_)
            look_for_extension(t.text);
        const std::string_view what = line_[0].text;
        if (what == "define") {
            check_line();
            for (const Token& t : line_)
                rename(t);
            define();
        } else if (what == "undef") {
            for (const Token& t : line_)
                rename(t);
            if (line_.size() > 1) asks_.erase(line_[1].text);
        } else if (what == "version") {
            if (line_.size() > 1) version_ = std::atoi(std::string(line_[1].text).c_str());
        } else if (what == "pragma") {
            static constexpr std::string_view kInvariant[] = {"STDGL", "invariant", "(", "all", ")"};
            out_.invariant_all |=
                std::equal(line_.begin() + 1, line_.end(), std::begin(kInvariant), std::end(kInvariant),
                           [](const Token& t, std::string_view s) { return t.text == s; });
        } else if (what == "extension") {
            // The rule is "before any token"; programs that put it between declarations are let through.
            if (nesting_) fail(line_[0].line, "'#extension' : must stand before the shader's first token");
            if (line_.size() > 1 && !own_extension()) hide(line_[1].text);
        } else if (what == "if" || what == "elif" || what == "ifdef" || what == "ifndef") {
            condition(what);
        }
    }

    /// Whether the #extension line names an extension that we have and glslang does not; takes the line out.
    bool own_extension() {
        const std::string_view name = line_[1].text;
        if (std::find(std::begin(kOwn), std::end(kOwn), name) == std::end(kOwn) || !enabled(name) ||
            line_.size() != 4 || line_[2].text != ":")
            return false;
        const std::string_view behavior = line_[3].text;
        if (behavior != "enable" && behavior != "require" && behavior != "warn" && behavior != "disable")
            return false;
        const bool on = behavior != "disable";
        if (name == kDrawBuffers) out_.draw_buffers = on;
        if (name == kDrawInstanced) draw_instanced_ = on && stage_ == ir::Stage::Vertex;
        if (name == kFetch || name == kFetchNonCoherent) fetch_ = on && stage_ == ir::Stage::Fragment;
        for (const Token& t : line_)
            edit(t.text, "");
        return true;
    }

    bool enabled(std::string_view extension) const {
        return std::find(extensions_.begin(), extensions_.end(), extension) != extensions_.end();
    }

    void define() {
        budget_.define(std::span(line_).subspan(1));
        if (line_.size() < 2) return;
        asks_.erase(line_[1].text);
        const bool function = line_.size() > 2 && line_[2].text == "(" && line_[2].glued;
        const bool asks =
            std::any_of(line_.begin() + 2, line_.end(), [](const Token& t) { return t.text == "defined"; });
        if (function || !asks) return;
        const char* begin = line_[2].text.data();
        const std::string_view body(begin,
                                    size_t(line_.back().text.data() + line_.back().text.size() - begin));
        if (body.find_first_of("\r\n") == std::string_view::npos) asks_[line_[1].text] = body;
    }

    void condition(std::string_view what) {
        check_line();
        const size_t first_word = words_.size();
        const uint32_t line = line_[0].line;
        for (size_t i = 1; i < line_.size(); ++i) {
            const Token& t = line_[i];
            words_.push_back(t.text);
            const bool after_defined = line_[i - 1].text == "defined" ||
                                       (line_[i - 1].text == "(" && i > 1 && line_[i - 2].text == "defined");
            if (is_predefined(t.text)) {
                if (what == "ifdef" || what == "ifndef") {
                    edit(what, "if");
                    edit(t.text, what == "ifdef" ? "1" : "0");
                } else if (line_[i - 1].text == "defined") {
                    edit(line_[i - 1].text, " ");
                    edit(t.text, "1");
                } else if (after_defined) {
                    edit(line_[i - 2].text, " ");
                    edit(t.text, "1");
                }
                continue;
            }
            hide(t.text);
            rename(t);
            if (const auto it = asks_.find(t.text);
                it != asks_.end() && !after_defined && (what == "if" || what == "elif"))
                edit(t.text, "(" + std::string(it->second) + ")");
        }
        check_expanded(first_word, kMaxConditionTokens, line, "a condition of #if");
    }

    void check_line() {
        unsigned nesting = 0, run = 0;
        for (const Token& t : line_) {
            const char c = t.text[0];
            if (c == '(' || c == '[' || c == '{') ++nesting;
            run = std::string_view("+-!~").find(c) != std::string_view::npos ? run + 1 : 0;
            if (nesting > kMaxNesting)
                fail(t.line, "Terrazzo: brackets nested more than " + std::to_string(kMaxNesting) + " deep");
            if (run > kMaxOperatorRun)
                fail(t.line,
                     "Terrazzo: more than " + std::to_string(kMaxOperatorRun) + " operators in a row");
        }
    }

    void hide(std::string_view name) {
        if (name.substr(0, 3) != "GL_" || name == "GL_ES" || name == "GL_FRAGMENT_PRECISION_HIGH") return;
        if (enabled(name)) return;
        edit(name.substr(0, 2), "TZ");
        const std::string hidden = "TZ" + std::string(name.substr(2));
        if (std::find_if(out_.renamed.begin(), out_.renamed.end(),
                         [&](auto& r) { return r.first == hidden; }) == out_.renamed.end())
            out_.renamed.emplace_back(hidden, name);
    }

    std::string_view source_;
    std::span<const std::string_view> extensions_;
    Source out_;
    MacroBudget budget_;
    std::vector<Token> line_;
    std::vector<std::string_view> words_;
    std::vector<std::string_view> named_;                   // extensions whose macros the text may use
    std::vector<Edit> edits_;                               // in the order of the text
    std::unordered_map<std::string, std::string> aliases_;  // original, changed
    std::unordered_map<std::string_view, std::string_view>
        asks_;                    // macros with `defined` in them, and their text
    size_t statement_first_ = 0;  // in words_
    unsigned nesting_ = 0, statement_ = 0, operators_ = 0;
    int version_ = 100;
    bool invariant_ = false;
    const ir::Stage stage_;
    std::vector<std::string_view> global_;              // the statement so far, outside of brackets
    bool draw_instanced_ = false, fetch_ = false;       // enabled here
    bool names_instance_ = false, names_last_ = false;  // the text has their variables
    bool redeclares_ = false;                           // the statement declares gl_LastFragData again
    std::string_view last_precision_ = "mediump";
};

}  // namespace

Source prepare_source(std::string_view source, std::span<const std::string_view> extensions,
                      ir::Stage stage) {
    if (source.size() > kMaxText_B) {
        Source s;
        s.error = "ERROR: 0:0: Terrazzo: the shader's text is longer than " + std::to_string(kMaxText_B) +
                  " bytes\n";
        return s;
    }
    return Checker(source, extensions, stage).run();
}

void Source::restore(std::string& s) const {
    for (const auto& [changed, original] : renamed) {
        for (size_t at = s.find(changed); at != std::string::npos; at = s.find(changed, at + original.size()))
            s.replace(at, changed.size(), original);
    }
}

}  // namespace terrazzo::shaders::glsl
