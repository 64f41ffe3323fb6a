// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Variables of extensions that glslang does not know: see own_variables.h.
#include "shaders/glsl/own_variables.h"

#include <algorithm>
#include <string>

namespace terrazzo::shaders::glsl {

namespace {
// In layouts of EXT_shader_framebuffer_fetch_non_coherent.
constexpr std::string_view kNonCoherent = "noncoherent";
}  // namespace

std::string_view OwnVariables::token(const Token& t, unsigned nesting, int version) {
    const bool fetch = coherent_ || non_coherent_;
    if (nesting == 0) global_.push_back(t.text);
    if (rename(t)) {
    } else if (fetch && version < 300 && t.text == "gl_LastFragData") {
        names_last_ = true;
        redeclares_ = nesting == 0 && global_.size() > 1 && global_[global_.size() - 2] == "vec4";
        if (!redeclares_) edits_.replace(t.text, std::string(kLastFragData));
    } else if (separate_ && version == 300 && nesting == 0 && global_.size() > 1 &&
               ((t.text == "gl_Position" && global_[global_.size() - 2] == "vec4") ||
                (t.text == "gl_PointSize" && global_[global_.size() - 2] == "float"))) {
        redeclares_output_ = true;
    } else if ((says_non_coherent_ ? non_coherent_ : coherent_) && version >= 300 && nesting == 0 &&
               t.text == "inout") {
        inout_ = true;
        edits_.replace(t.text, "out");
    }
    if (non_coherent_ && version >= 300) {
        if (nesting == 0 && t.text == "layout") layout_.clear();
        if (!layout_.empty() || t.text == "layout") layout_.push_back(t.text);
        if (t.text == ")" && nesting == 1) end_layout();
    }
    if (nesting || (t.text != ";" && t.text != "}")) return {};
    // gl_LastFragData may be redeclared with another precision or a layout: that statement is removed.
    if (redeclares_ && t.text == ";") {
        for (const std::string_view s : {"lowp", "mediump", "highp"})
            if (std::find(global_.begin(), global_.end(), s) != global_.end()) last_precision_ = s;
        remove_statement(global_.front(), t.text);
    }
    // The redeclaration has no effect: source.cpp keeps `invariant`.
    if (redeclares_output_ && t.text == ";") remove_statement(global_.front(), t.text);
    redeclares_output_ = false;
    const std::string_view wrong = inout_ ? note_fetched_outputs() : std::string_view();
    redeclares_ = inout_ = says_non_coherent_ = false;
    global_.clear();
    return wrong;
}

/// Variables that only need to be renamed.
bool OwnVariables::rename(const Token& t) {
    if (draw_instanced_ && t.text == "gl_InstanceIDEXT") {
        names_instance_ = true;
        edits_.replace(t.text, std::string(kInstanceId));
    } else if (!viewport_index_.empty() && t.text == "gl_ViewportIndex") {
        viewport_named_ = viewport_index_;
        edits_.replace(t.text, std::string(kViewportIndex));
    } else if (viewport_array_ && t.text == "gl_MaxViewports") {
        names_max_viewports_ = true;
        edits_.replace(t.text, std::string(kMaxViewportsName));
    } else {
        return false;
    }
    return true;
}

/// Removes the statement including its brackets, but keeps line ends.
void OwnVariables::remove_statement(std::string_view first, std::string_view last) {
    const char *at = first.data(), *const end = last.data() + last.size();
    while (at < end) {
        const char* run = at;
        while (run < end && *run != '\n' && *run != '\r')
            ++run;
        if (run > at) edits_.remove({at, size_t(run - at)});
        at = run + 1;
    }
}

/// Removes `noncoherent` from a layout: all accesses are coherent here.
void OwnVariables::end_layout() {
    const std::vector<std::string_view> words = std::move(layout_);
    layout_.clear();
    if (words.size() < 4 || words[1] != "(" ||
        std::find(words.begin(), words.end(), kNonCoherent) == words.end())
        return;
    says_non_coherent_ = true;
    std::string kept;
    for (size_t i = 2; i + 1 < words.size(); ++i) {
        edits_.remove(words[i]);
        if (words[i] == kNonCoherent || (words[i] == "," && kept.empty())) continue;
        kept += std::string(words[i]) + " ";
    }
    while (kept.size() > 1 && kept[kept.size() - 2] == ',')
        kept.resize(kept.size() - 2);
    if (!kept.empty()) return edits_.replace(words.back(), kept + ")");
    for (const std::string_view w : {words[0], words[1], words.back()})
        edits_.remove(w);
}

/// The names are the tokens before a comma, an array's bracket or the statement's end.
std::string_view OwnVariables::note_fetched_outputs() {
    std::string_view built_in;
    for (size_t i = 0; i + 1 < global_.size(); ++i) {
        if (!is_name_start(global_[i][0]) ||
            (global_[i + 1] != "," && global_[i + 1] != ";" && global_[i + 1] != "["))
            continue;
        if (global_[i].substr(0, 3) == "gl_") built_in = global_[i];
        out_.fetched_outputs.emplace_back(global_[i]);
    }
    return built_in;
}

void OwnVariables::declare() {
    if (names_instance_) {
        out_.preamble += "uniform highp int " + std::string(kInstanceId) + ";\n";
        out_.renamed.emplace_back(kInstanceId, "gl_InstanceIDEXT");
    }
    if (!viewport_named_.empty()) {
        out_.preamble += std::string(viewport_named_) + " " + std::string(kViewportIndex) + ";\n";
        out_.renamed.emplace_back(kViewportIndex, "gl_ViewportIndex");
    }
    if (names_max_viewports_) {
        out_.preamble += "const highp int " + std::string(kMaxViewportsName) + " = " +
                         std::to_string(kMaxViewports) + ";\n";
        out_.renamed.emplace_back(kMaxViewportsName, "gl_MaxViewports");
    }
    if (names_last_) {
        out_.preamble += "uniform " + std::string(last_precision_) + " vec4 " + std::string(kLastFragData) +
                         "[gl_MaxDrawBuffers];\n";
        out_.renamed.emplace_back(kLastFragData, "gl_LastFragData");
    }
}

}  // namespace terrazzo::shaders::glsl
