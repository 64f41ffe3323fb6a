// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prepares the text: see source.h. After preprocessing (preprocessor.h), these changes are made:
//   - glslang knows more extensions than we support; the names of the others in #extension lines become
//     TZ_... instead of GL_..., which glslang does not know;
//   - ESSL 1.00 reserves names with two underscores; glslang makes them an error, but programs use them: they
//     are renamed;
//   - GL_EXT_draw_buffers, GL_NV_draw_buffers, GL_EXT_draw_instanced and GL_EXT_shader_framebuffer_fetch,
//     which glslang does not know: their #extension lines are handled here, their variables in
//     own_variables.cpp;
//   - names of GL_EXT_clip_cull_distance are renamed (distance_names.h), as are a shader's functions with
//     names of extensions' functions (function_names.h), and textureOffset if GL_EXT_texture_shadow_lod is
//     enabled (shadow_lod.h);
//   - since ESSL 3.00 lines are joined, and #version moves to the beginning (version_line.h);
//   - global variables with names of built-in functions are renamed (hidden_functions.h);
//   - long ladders of else-ifs are split into short ones (ladders.h).
#include "shaders/glsl/source.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "shaders/glsl/distance_names.h"
#include "shaders/glsl/extensions.h"
#include "shaders/glsl/function_names.h"
#include "shaders/glsl/hidden_functions.h"
#include "shaders/glsl/ladders.h"
#include "shaders/glsl/own_variables.h"
#include "shaders/glsl/preprocessor.h"
#include "shaders/glsl/shadow_lod.h"
#include "shaders/glsl/statement_shape.h"
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

bool contains(std::span<const std::string_view> list, std::string_view s) {
    return std::find(list.begin(), list.end(), s) != list.end();
}

/// The declaration of gl_ViewportIndex; empty: the stage has none.
std::string_view viewport_index(ir::Stage stage) {
    return stage == ir::Stage::Geometry   ? "out highp int"
           : stage == ir::Stage::Fragment ? "flat in highp int"
                                          : "";
}
constexpr size_t kMaxText_B = 16u << 20;

class Checker {
  public:
    /// `added_lines`: the number of lines inserted before the text's first line.
    Checker(std::string_view source, std::span<const std::string_view> extensions, ir::Stage stage,
            unsigned added_lines)
        : source_(source),
          extensions_(extensions),
          stage_(stage),
          added_lines_(added_lines),
          edits_(source),
          own_(edits_, out_),
          distances_(edits_, out_, stage),
          functions_(edits_, out_),
          rules_(edits_, stage),
          ladders_(edits_) {}

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
        own_.declare();
        functions_.finish(version_);
        if (const DistanceRenamer::Error e = distances_.finish(version_); e.line) fail(e.line, e.rule);
        out_.text = edits_.apply();
        for (auto& [name, alias] : aliases_)
            out_.renamed.emplace_back(alias, name);
        return std::move(out_);
    }

  private:
    /// The line number as the shader's author counts; 0: no line.
    [[nodiscard]] uint32_t own_line(uint32_t line) const {
        return line > added_lines_ ? line - added_lines_ : line;
    }

    void fail(uint32_t line, const std::string& message) {
        if (out_.error.empty())
            out_.error = "ERROR: 0:" + std::to_string(own_line(line)) + ": " + message + "\n";
    }

    void edit(std::string_view what, std::string with) { edits_.replace(what, std::move(with)); }

    void token(const Token& t) {
        distances_.token(t, nesting_);
        functions_.token(t, nesting_);
        if (const std::string_view output = own_.token(t, nesting_, version_); !output.empty())
            fail(t.line, "'" + std::string(output) + "' : a built-in output is not inout");
        if (const char* const wrong = rules_.token(t, nesting_, version_)) fail(t.line, wrong);
        hide_function(t);
        rename(t);
        const char c = t.text[0];
        if (c == '(' || c == '[' || c == '{') ++nesting_;
        if ((c == ')' || c == ']' || c == '}') && nesting_) --nesting_;
        if (std::string wrong = shape_.token(t); !wrong.empty()) fail(t.line, "Terrazzo: " + wrong);
        ladders_.token(t);
        if (c == ';') invariant_ = false;
        if (t.text == "invariant") invariant_ = true;
        out_.says_precise |= t.text == "precise";
        if (invariant_ && t.text.substr(0, 3) == "gl_") out_.invariant_builtins.emplace_back(t.text);
    }

    /// A global variable with a built-in function's name; glslang would refuse it.
    void hide_function(const Token& t) {
        if (version_ < 300) return;
        const bool hidden = hiders_.hides(t);
        const std::string_view declared = hiders_.declared(t, nesting_);
        if (declared.empty() && !hidden) return;
        const std::string_view name = hidden ? t.text : declared;
        const auto [it, fresh] = aliases_.try_emplace(std::string(name));
        if (fresh) it->second = "TZu" + std::to_string(aliases_.size()) + "_";
        edit(name, it->second);
    }

    void rename(const Token& t) {
        if (out_.shadow_lod && t.text == kTextureOffset) {
            aliases_.try_emplace(std::string(t.text), kShadowLodOffset);
            return edit(t.text, std::string(kShadowLodOffset));
        }
        if (!t.name || version_ >= 300 || t.text.find("__") == std::string_view::npos) return;
        if (t.text.substr(0, 3) == "gl_") return;
        auto [it, fresh] = aliases_.try_emplace(std::string(t.text));
        if (fresh) {
            it->second = "TZu" + std::to_string(aliases_.size()) + "_";
            out_.warning += "WARNING: 0:" + std::to_string(own_line(t.line)) + ": '" + it->first +
                            "' : identifiers containing consecutive underscores are reserved\n";
        }
        edit(t.text, it->second);
    }

    void directive() {
        if (line_.empty()) return;
        const std::string_view what = line_[0].text;
        if (what == "version") {
            if (line_.size() > 1) version_ = std::atoi(std::string(line_[1].text).c_str());
        } else if (what == "pragma") {
            static constexpr std::string_view kInvariant[] = {"STDGL", "invariant", "(", "all", ")"};
            out_.invariant_all |=
                std::equal(line_.begin() + 1, line_.end(), std::begin(kInvariant), std::end(kInvariant),
                           [](const Token& t, std::string_view s) { return t.text == s; });
        } else if (what == "extension") {
            // The rule is "before any token"; programs with #extension between declarations are accepted.
            if (nesting_) fail(line_[0].line, "'#extension' : must stand before the shader's first token");
            if (line_.size() == 4 && line_[3].text != "disable" && enabled(line_[1].text))
                functions_.enable(line_[1].text);
            if (line_.size() > 1 && line_[1].text == kAddedExtensions[0]) own_.enable_separate();
            if (line_.size() > 1 && !own_extension()) hide(line_[1].text);
        }
    }

    /// Whether the #extension line names an extension that we support and glslang does not know; removes the
    /// line.
    bool own_extension() {
        const std::string_view name = line_[1].text;
        if (!contains(kOwn, name) || !enabled(name) || line_.size() != 4 || line_[2].text != ":")
            return false;
        const std::string_view behavior = line_[3].text;
        if (behavior != "enable" && behavior != "require" && behavior != "warn" && behavior != "disable")
            return false;
        const bool on = behavior != "disable";
        if (name == kDrawBuffers || name == kDrawBuffersNv) out_.draw_buffers = on;
        if (name == kDrawInstanced) own_.enable_instance_id(on && stage_ == ir::Stage::Vertex);
        if (name == kFetch) own_.enable_fetch(on && stage_ == ir::Stage::Fragment);
        if (name == kFetchNonCoherent) own_.enable_non_coherent_fetch(on && stage_ == ir::Stage::Fragment);
        if (name == kShadowLod) out_.shadow_lod = on && version_ >= 300;
        if (name == kClipCull) distances_.enable(on && version_ >= 300);
        if (name == kViewportArray) own_.enable_viewport_array(on, viewport_index(stage_));
        for (const Token& t : line_)
            edit(t.text, "");
        return true;
    }

    bool enabled(std::string_view extension) const { return contains(extensions_, extension); }

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
    std::vector<Token> line_;
    std::unordered_map<std::string, std::string> aliases_;  // (original, new)
    unsigned nesting_ = 0;
    int version_ = 100;
    bool invariant_ = false;
    const ir::Stage stage_;
    const unsigned added_lines_;
    TextEdits edits_;
    OwnVariables own_;
    DistanceRenamer distances_;
    FunctionNames functions_;
    TextRules rules_;
    StatementShape shape_;
    HiddenFunctions hiders_;
    Ladders ladders_;
};

}  // namespace

namespace {

/// The first version that has the stage, possibly by an extension.
int first_version(ir::Stage stage) {
    return stage == ir::Stage::Vertex || stage == ir::Stage::Fragment ? 100 : 310;
}

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
    const std::string_view text = v.text.empty() ? source : v.text;
    // Unsupported versions are refused here. glslang would replace them by others, for some of which it
    // cannot parse its built-in functions; then it writes all of their text to stdout.
    std::string wrong = v.error;
    if (wrong.empty() && v.version < first_version(stage))
        wrong = "a shader of this stage needs '310 es' or '320 es'";
    if (!wrong.empty()) {
        Source s;
        s.error = "ERROR: 0:" + std::to_string(v.line) + ": '#version' : " + wrong + "\n";
        return s;
    }
    std::vector<std::string_view> macros;
    for (const std::string_view e : extensions)
        if (contains(kOwn, e) || contains(kGlslangExtensions, e) || contains(kAddedExtensions, e))
            macros.push_back(e);
    Preprocessed p = preprocess(text, v.version, macros);
    if (!p.error.empty()) {
        Source s;
        s.error = std::move(p.error);
        return s;
    }
    Source s = Checker(p.text, extensions, stage, v.added_lines).run();
    s.warning.insert(0, p.warnings);
    return s;
}

void Source::restore(std::string& s) const {
    for (const auto& [changed, original] : renamed) {
        for (size_t at = s.find(changed); at != std::string::npos; at = s.find(changed, at + original.size()))
            s.replace(at, changed.size(), original);
    }
}

}  // namespace terrazzo::shaders::glsl
