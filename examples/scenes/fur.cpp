// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A ball of fur. The program draws one point for each hair, its root. The geometry shader generates the hair:
// a ribbon of a few segments that bends down and faces the eye with its flat side. Four samples per pixel,
// because a hair is thinner than a pixel at its tip.
#include <GLES3/gl32.h>

#include "examples/common/matrix.h"
#include "examples/common/multisampled.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kHairs = 16000;

const char* const kVertex = R"(#version 320 es
    precision highp float;
    uniform float hairs;
    out vec3 v_root;
    void main() {  // roots on a spiral from pole to pole, with equal distances
        float y = 1.0 - 2.0 * (float(gl_VertexID) + 0.5) / hairs;
        // The golden angle, in integers: sines of large angles are imprecise on some devices.
        float angle = 6.28318531 * float(uint(gl_VertexID) * 1640531527u >> 8) / 16777216.0;
        v_root = vec3(sqrt(1.0 - y * y) * vec2(cos(angle), sin(angle)), y).xzy;
    })";

const char* const kGeometry = R"(#version 320 es
    precision highp float;
    const int kSegments = 6;
    layout(points) in;
    layout(triangle_strip, max_vertices = 14) out;
    uniform mat4 view, projection;
    in vec3 v_root[];
    out vec3 g_direction, g_place, g_color;
    out float g_along;
    float random(uint n) {
        uint h = (uint(gl_PrimitiveIDIn) * 4u + n) * 2654435769u;
        h = (h ^ h >> 15) * 2246822507u;
        return float((h ^ h >> 13) >> 8) / 16777216.0;
    }
    void main() {
        vec3 root = (view * vec4(v_root[0], 1)).xyz, up = mat3(view) * v_root[0];
        if (dot(up, normalize(-root)) < -0.35) return;  // on the far side of the ball: no hair
        vec3 wild = vec3(random(0u), random(1u), random(2u)) - 0.5;
        vec3 comb = vec3(0.2 * sin(v_root[0].y * 9.0 + 3.0 * v_root[0].x), -0.5, 0);
        vec3 direction = normalize(up + comb + 0.5 * wild);
        float stripe = sin(7.0 * v_root[0].y + 2.2 * sin(4.0 * v_root[0].x) + 1.6 * sin(5.0 * v_root[0].z));
        g_color = mix(vec3(0.95, 0.5, 0.12), vec3(0.16, 0.1, 0.1),
                      smoothstep(0.25, 0.5, stripe + 0.4 * wild.x));
        g_color = mix(vec3(0.98, 0.9, 0.78), g_color, smoothstep(-0.75, -0.45, v_root[0].y));
        float step = (0.34 + 0.16 * random(3u)) / float(kSegments);
        vec3 place = root;
        for (int i = 0; i <= kSegments; ++i) {
            g_along = float(i) / float(kSegments);
            vec3 across = normalize(cross(direction, place)) * 0.012 * (1.0 - 0.85 * g_along);
            g_direction = direction;
            for (int side = -1; side <= 1; side += 2) {
                g_place = place + float(side) * across;
                gl_Position = projection * vec4(g_place, 1);
                EmitVertex();
            }
            place += direction * step;
            direction = normalize(direction + vec3(0, -0.2, 0));  // its weight
        }
    })";

const char* const kFragment = R"(#version 320 es
    precision highp float;
    in vec3 g_direction, g_place, g_color;
    in float g_along;
    out vec4 pixel;
    void main() {  // a hair shines if the light and the eye see it from the side (Kajiya and Kay)
        vec3 along = normalize(g_direction), to_eye = normalize(-g_place);
        vec3 to_light = normalize(vec3(-0.5, 0.8, 0.6));
        float l = dot(along, to_light), e = dot(along, to_eye);
        float l_side = sqrt(1.0 - l * l), e_side = sqrt(1.0 - e * e);
        vec3 up = normalize(g_place - vec3(0, 0, -4.6));  // the ball's own shade
        float light = 0.25 + 0.75 * smoothstep(-0.5, 0.8, dot(up, to_light));
        float gloss = pow(max(l_side * e_side - l * e, 0.0), 24.0);
        float deep = 0.12 + 0.88 * g_along;  // the roots get little light
        pixel = vec4(deep * light * (g_color * (0.35 + 0.65 * l_side) + 0.22 * gloss), 1);
    })";

}  // namespace

void draw_fur(int width, int height) {
    const GLuint program = build_program(
        {{GL_VERTEX_SHADER, kVertex}, {GL_GEOMETRY_SHADER, kGeometry}, {GL_FRAGMENT_SHADER, kFragment}});
    glUseProgram(program);
    const Matrix view = translate(0, 0, -4.6f) * rotate_x(0.35f) * rotate_y(0.5f);
    const Matrix projection = perspective(0.68f, float(width) / float(height), 1, 20);
    glUniformMatrix4fv(glGetUniformLocation(program, "view"), 1, GL_FALSE, view.m);
    glUniformMatrix4fv(glGetUniformLocation(program, "projection"), 1, GL_FALSE, projection.m);
    glUniform1f(glGetUniformLocation(program, "hairs"), GLfloat(kHairs));

    Multisampled target(width, height, 4);
    glViewport(0, 0, width, height);
    glEnable(GL_DEPTH_TEST);
    glClearColor(0.16f, 0.24f, 0.26f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDrawArrays(GL_POINTS, 0, kHairs);
    target.resolve();
}

}  // namespace example
