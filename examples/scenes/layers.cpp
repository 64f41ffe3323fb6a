// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The blend equations of a painting program's layers. Each field has the same rainbow, and the same three
// discs over it: a warm one, a grey one from black to white, a cool one. The first field blends by alpha;
// each other one has its own equation.
#include <GLES3/gl32.h>

#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kSide = 4;
constexpr GLenum kEquations[kSide * kSide] = {
    GL_FUNC_ADD,   GL_MULTIPLY,       GL_SCREEN,    GL_OVERLAY,       GL_DARKEN,     GL_LIGHTEN,
    GL_COLORDODGE, GL_COLORBURN,      GL_HARDLIGHT, GL_SOFTLIGHT,     GL_DIFFERENCE, GL_EXCLUSION,
    GL_HSL_HUE,    GL_HSL_SATURATION, GL_HSL_COLOR, GL_HSL_LUMINOSITY};

const char* const kVertex = R"(#version 320 es
    out vec2 v_place;
    void main() {
        v_place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
        gl_Position = vec4(v_place, 0, 1);
    })";

const char* const kRainbow = R"(#version 320 es
    precision highp float;
    in vec2 v_place;
    out vec4 pixel;
    void main() {
        vec3 hue = 0.5 + 0.5 * cos(3.14159 * (v_place.x + vec3(0, 0.667, 1.333)));
        float light = v_place.y;  // black below, white above
        pixel = vec4(light < 0.0 ? hue * (1.0 + light) : mix(hue, vec3(1), light), 1);
    })";

// A shader that is blended with an advanced equation must declare it.
const char* const kDisc = R"(#version 320 es
    precision highp float;
    layout(blend_support_all_equations) out;
    uniform vec2 center;
    uniform vec3 low, high;
    in vec2 v_place;
    layout(location = 0) out vec4 pixel;
    void main() {
        vec2 d = (v_place - center) / 0.5;
        float alpha = 0.9 * (1.0 - smoothstep(1.0 - fwidth(d.x), 1.0 + fwidth(d.x), length(d)));
        vec3 color = mix(low, high, clamp(0.5 + 0.5 * d.y, 0.0, 1.0));
        pixel = vec4(color * alpha, alpha);  // all equations need premultiplied colours
    })";

struct Disc {
    GLfloat center[2], low[3], high[3];
};
constexpr Disc kDiscs[] = {{{-0.4f, 0.3f}, {0.85f, 0.2f, 0.1f}, {1, 0.75f, 0.2f}},
                           {{0, -0.35f}, {0, 0, 0}, {1, 1, 1}},
                           {{0.4f, 0.3f}, {0.1f, 0.2f, 0.7f}, {0.3f, 0.85f, 0.8f}}};

void draw_discs(GLuint program, GLenum equation) {
    glUseProgram(program);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);  // only GL_FUNC_ADD uses it
    glBlendEquation(equation);
    for (const Disc& d : kDiscs) {
        glUniform2fv(glGetUniformLocation(program, "center"), 1, d.center);
        glUniform3fv(glGetUniformLocation(program, "low"), 1, d.low);
        glUniform3fv(glGetUniformLocation(program, "high"), 1, d.high);
        glBlendBarrier();  // this disc is blended with the earlier ones
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glDisable(GL_BLEND);
}

}  // namespace

void draw_layers(int width, int height) {
    const GLuint rainbow = build_program(kVertex, kRainbow, {}), disc = build_program(kVertex, kDisc, {});
    glClearColor(0.1f, 0.1f, 0.12f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    const int gap = width / 128, w = width / kSide, h = height / kSide;
    for (int i = 0; i < kSide * kSide; ++i) {
        glViewport(i % kSide * w + gap, (kSide - 1 - i / kSide) * h + gap, w - 2 * gap, h - 2 * gap);
        glUseProgram(rainbow);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        draw_discs(disc, kEquations[i]);
    }
}

}  // namespace example
