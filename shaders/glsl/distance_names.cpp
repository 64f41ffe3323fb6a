// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/distance_names.h"

#include <algorithm>
#include <string>

#include "shaders/ir/limits.h"

namespace terrazzo::shaders::glsl {

void DistanceRenamer::rename(std::string_view text, std::string_view name, std::string_view with) {
    edits_.replace(text, std::string(with));
    const std::pair<std::string, std::string> back(with, name);
    if (std::find(out_.renamed.begin(), out_.renamed.end(), back) == out_.renamed.end())
        out_.renamed.push_back(back);
}

void DistanceRenamer::token(const Token& t, unsigned nesting) {
    if (!enabled_) return;
    if (t.text == "{" && last_ == "gl_PerVertex") in_block_ = true;
    if (t.text == "}") in_block_ = false;
    for (size_t n = 0; n < 2; ++n) {
        Names& names = names_[n];
        if (t.text == "length" && last_ == "." && before_last_ == kDistanceNames[n].name)
            names.length_line = t.line;
        if (t.text != kDistanceNames[n].name) continue;
        const bool declares = last_ == "float";
        names.declared |= declares && nesting == 0;
        if (declares && nesting && !in_block_ && !error_.line)
            error_ = {t.line,
                      "'gl_ClipDistance', 'gl_CullDistance' : names that begin with gl_ are reserved"};
        (last_ == "." || (declares && nesting) ? names.members : names.bare).push_back(t.text);
    }
    for (const auto& [name, own] : kDistanceLimits)
        if (t.text == name) rename(t.text, name, own);
    before_last_ = last_;
    last_ = t.text;
}

DistanceRenamer::Error DistanceRenamer::finish(int version) {
    const bool fragment = stage_ == ir::Stage::Fragment;
    const bool variables = fragment || (stage_ == ir::Stage::Vertex && version < 310);
    for (size_t n = 0; n < 2; ++n) {
        const Names& names = names_[n];
        const DistanceNames& own = kDistanceNames[n];
        for (const std::string_view text : names.members)
            rename(text, own.name, own.member);
        for (const std::string_view text : names.bare)
            rename(text, own.name, names.declared ? own.sized : variables ? own.implicit : own.member);
        if (names.declared || !variables || names.bare.empty()) continue;
        out_.preamble += std::string(fragment ? "in" : "out") + " highp float " + std::string(own.implicit) +
                         "[" + std::to_string(ir::kMaxDistances) + "];\n";
        if (names.length_line && !error_.line)
            error_ = {names.length_line,
                      "'length' : an array of distances must be declared with its size first"};
    }
    return error_;
}

}  // namespace terrazzo::shaders::glsl
