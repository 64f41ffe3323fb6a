// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/fuzz/program_texts.h"

namespace fuzz {
namespace {

constexpr std::string_view kMark = "//--- ";
constexpr std::string_view kStageNames[kStages] = {"vertex",   "control",  "evaluation",
                                                   "geometry", "fragment", "compute"};

constexpr const char* kPlainVertexText =
    "attribute vec4 position; varying vec3 normal; varying vec2 uv; void main() {"
    " gl_Position = position; gl_PointSize = 3.0; normal = position.xyz; uv = position.yx; }";
constexpr const char* kPlainFragmentText =
    "precision mediump float; varying vec3 normal; varying vec2 uv; void main() {"
    " gl_FragColor = vec4(normal, uv.x + uv.y); }";
constexpr const char* kPlainVertexText300 =
    "#version 300 es\nin vec4 position; out vec3 normal; out vec2 uv; flat out ivec3 id; void main() {"
    " gl_Position = position; gl_PointSize = 3.0; normal = position.xyz; uv = position.yx; id = "
    "ivec3(position.xyz * 4.0); }";
constexpr const char* kPlainFragmentText300 =
    "#version 300 es\nprecision mediump float; in vec3 normal; in vec2 uv; flat in highp ivec3 id; out vec4 "
    "color; void main() {"
    " color = vec4(normal, uv.x + uv.y + float(id.x)); }";

/// The stage that a marking line names; kStages if it names none. `after`: where the line ends.
size_t stage_of_line(std::string_view text, size_t at, size_t* after) {
    const size_t end = text.find('\n', at);
    if (end == text.npos) return kStages;
    const std::string_view name = text.substr(at + kMark.size(), end - at - kMark.size());
    *after = end + 1;
    for (size_t s = 0; s < kStages; ++s)
        if (name == kStageNames[s]) return s;
    return kStages;
}

void complete(ProgramTexts* p) {
    if (!(*p)[Stage::Compute].empty()) return;
    bool is_300 = false;
    for (const std::string_view text : p->texts)
        is_300 = is_300 || text.find("#version 3") < 20;
    if ((*p)[Stage::Vertex].empty()) (*p)[Stage::Vertex] = is_300 ? kPlainVertexText300 : kPlainVertexText;
    if ((*p)[Stage::Fragment].empty())
        (*p)[Stage::Fragment] = is_300 ? kPlainFragmentText300 : kPlainFragmentText;
}

}  // namespace

ProgramTexts split_program(std::string_view program) {
    ProgramTexts p;
    size_t stage = size_t(Stage::Fragment), begin = 0;
    for (size_t at = program.find(kMark); at != program.npos; at = program.find(kMark, at + 1)) {
        size_t after = 0;
        const size_t next = stage_of_line(program, at, &after);
        if (next == kStages) continue;
        if (at > begin) p.texts[stage] = program.substr(begin, at - begin);
        stage = next;
        begin = after;
    }
    if (begin < program.size()) p.texts[stage] = program.substr(begin);
    complete(&p);
    return p;
}

}  // namespace fuzz
