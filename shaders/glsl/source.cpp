// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The look at the text: see source.h. What is changed in it:
//   - glslang knows more extensions than we do and defines a macro for each; their names in #extension, #if,
//     #ifdef and #ifndef lines become TZ_... instead of GL_..., which it does not know;
//   - ESSL 1.00 reserves names with two underscores; glslang makes them an error, programs use them: they get
//     other names;
//   - GL_EXT_draw_buffers, GL_NV_draw_buffers, GL_EXT_draw_instanced and GL_EXT_shader_framebuffer_fetch, which
//     glslang does not know, have their macros and #extension lines handled here, their variables in own_variables.cpp;
//   - names of GL_EXT_clip_cull_distance become others (distance_names.h), and textureOffset gets one
//     where GL_EXT_texture_shadow_lod is enabled (shadow_lod.h);
//   - from ESSL 3.00 on lines are joined, and #version comes first (version_line.h);
//   - macros of extensions that glslang knows are defined where the text names them (amend.cpp takes
//     glslang's own definitions of ESSL 1.00 away);
//   - glslang refuses `defined` where a macro brings it into #if, and does not count __VERSION__ and its kin
//     as defined: the macro's text, or 1, is put in their place.
#include "shaders/glsl/source.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "shaders/glsl/distance_names.h"
#include "shaders/glsl/extensions.h"
#include "shaders/glsl/macro_budget.h"
#include "shaders/glsl/own_variables.h"
#include "shaders/glsl/shadow_lod.h"
#include "shaders/glsl/text_edits.h"
#include "shaders/glsl/text_lexer.h"
#include "shaders/glsl/text_rules.h"
#include "shaders/glsl/version_line.h"

namespace terrazzo::shaders::glsl {

namespace {

/// Extensions that glslang does not know.
constexpr std::string_view kDrawBuffers = "GL_EXT_draw_buffers", kDrawBuffersNv = "GL_NV_draw_buffers",
                           kDrawInstanced = "GL_EXT_draw_instanced",
                           kFetch = "GL_EXT_shader_framebuffer_fetch",
                           kFetchNonCoherent = "GL_EXT_shader_framebuffer_fetch_non_coherent",
                           kViewportArray = "GL_OES_viewport_array", kQueryLod = "GL_EXT_texture_query_lod",
                           kShadowLod = "GL_EXT_texture_shadow_lod", kClipCull = "GL_EXT_clip_cull_distance";
constexpr std::string_view kOwn[] = {kDrawBuffers, kDrawBuffersNv,    kDrawInstanced,
                                     kFetch,       kFetchNonCoherent, kViewportArray,
                                     kQueryLod,    kShadowLod,        kClipCull};
/// What textureQueryLodEXT is called when glslang sees it (prototypes.cpp). A shader's own function of that name has another.
constexpr std::string_view kQueryLodFunction = "textureQueryLOD";

/// How gl_ViewportIndex is declared; empty: the stage has none.
std::string_view viewport_index(ir::Stage stage) {
    return stage == ir::Stage::Geometry   ? "out highp int"
           : stage == ir::Stage::Fragment ? "flat in highp int"
                                          : "";
}
constexpr size_t kMaxText_B = 16u << 20;
constexpr unsigned kMaxNesting = 200;             // brackets of any kind inside one another
constexpr unsigned kMaxStatementTokens = 20'000;  // as they stand, and once macros are expanded
constexpr unsigned kMaxConditionTokens = 2'000;   // of an #if, once macros are expanded
constexpr unsigned kMaxOperatorRun = 200;         // operators without an operand between them
constexpr uint64_t kMaxTokens = 2'000'000;        // after macro expansion

class Checker {
  public:
    /// `added_lines`: before the text's own first line.
    Checker(std::string_view source, std::span<const std::string_view> extensions, ir::Stage stage,
            unsigned added_lines)
        : source_(source),
          extensions_(extensions),
          stage_(stage),
          added_lines_(added_lines),
          edits_(source),
          own_(edits_, out_),
          distances_(edits_, out_, stage),
          rules_(edits_, stage) {}

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
        own_.declare();
        if (const DistanceRenamer::Error e = distances_.finish(version_); e.line) fail(e.line, e.rule);
        out_.text = edits_.apply();
        for (auto& [name, alias] : aliases_)
            out_.renamed.emplace_back(alias, name);
        return std::move(out_);
    }

  private:
    /// A line's number as the shader's writer counts; 0: of no line.
    [[nodiscard]] uint32_t own_line(uint32_t line) const {
        return line > added_lines_ ? line - added_lines_ : line;
    }

    void fail(uint32_t line, const std::string& message) {
        if (out_.error.empty())
            out_.error = "ERROR: 0:" + std::to_string(own_line(line)) + ": " + message + "\n";
    }

    void edit(std::string_view what, std::string with) { edits_.replace(what, std::move(with)); }

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
        distances_.token(t, nesting_);
        look_for_extension(t.text);
        if (const std::string_view output = own_.token(t, nesting_, version_); !output.empty())
            fail(t.line, "'" + std::string(output) + "' : a built-in output is not inout");
        if (const char* const wrong = rules_.token(t, nesting_, version_)) fail(t.line, wrong);
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
        if (query_lod_ && t.text == "textureQueryLodEXT") {
            aliases_.try_emplace(std::string(t.text), kQueryLodFunction);
            return edit(t.text, std::string(kQueryLodFunction));
        }
        if (t.text == kQueryLodFunction) {
            const auto [it, fresh] = aliases_.try_emplace(std::string(t.text));
            if (fresh) it->second = "TZu" + std::to_string(aliases_.size()) + "_";
            return edit(t.text, it->second);
        }
        if (out_.shadow_lod && t.text == kTextureOffset) {
            aliases_.try_emplace(std::string(t.text), kShadowLodOffset);
            return edit(t.text, std::string(kShadowLodOffset));
        }
        if (!t.name || version_ >= 300 || t.text.find("__") == std::string_view::npos) return;
        if (is_predefined(t.text) || t.text.substr(0, 3) == "gl_") return;
        auto [it, fresh] = aliases_.try_emplace(std::string(t.text));
        if (fresh) {
            it->second = "TZu" + std::to_string(aliases_.size()) + "_";
            out_.warning += "WARNING: 0:" + std::to_string(own_line(t.line)) + ": '" + it->first +
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
            for (const Token& t : line_) {
                distances_.token(t, DistanceRenamer::kMacro);
                rules_.macro(t);
                rename(t);
            }
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
        if (name == kDrawBuffers || name == kDrawBuffersNv) out_.draw_buffers = on;
        if (name == kDrawInstanced) own_.enable_instance_id(on && stage_ == ir::Stage::Vertex);
        if (name == kFetch) own_.enable_fetch(on && stage_ == ir::Stage::Fragment);
        if (name == kFetchNonCoherent) own_.enable_non_coherent_fetch(on && stage_ == ir::Stage::Fragment);
        if (name == kQueryLod) query_lod_ = on;
        if (name == kShadowLod) out_.shadow_lod = on && version_ >= 300;
        if (name == kClipCull) distances_.enable(on && version_ >= 300);
        if (name == kViewportArray) own_.enable_viewport_index(on ? viewport_index(stage_) : "");
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
            distances_.token(t, DistanceRenamer::kMacro);
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
    std::unordered_map<std::string, std::string> aliases_;  // original, changed
    std::unordered_map<std::string_view, std::string_view>
        asks_;                    // macros with `defined` in them, and their text
    size_t statement_first_ = 0;  // in words_
    unsigned nesting_ = 0, statement_ = 0, operators_ = 0;
    bool query_lod_ = false;  // GL_EXT_texture_query_lod is enabled
    int version_ = 100;
    bool invariant_ = false;
    const ir::Stage stage_;
    const unsigned added_lines_;
    TextEdits edits_;
    OwnVariables own_;
    DistanceRenamer distances_;
    TextRules rules_;
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
    const VersionLine v = read_version(source);
    return Checker(v.text.empty() ? source : v.text, extensions, stage, v.added_lines).run();
}

void Source::restore(std::string& s) const {
    for (const auto& [changed, original] : renamed) {
        for (size_t at = s.find(changed); at != std::string::npos; at = s.find(changed, at + original.size()))
            s.replace(at, changed.size(), original);
    }
}

}  // namespace terrazzo::shaders::glsl
