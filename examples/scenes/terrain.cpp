// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Mountains from a few hundred squares, which the device tessellates. The control shader requests more
// triangles for an edge that looks longer. Both squares of an edge request the same number, so that there are
// no cracks. The evaluation shader moves each new vertex to the mountain's height. On the right the geometry
// shader's distances show the triangles.
#include <GLES3/gl32.h>

#include <string>

#include "examples/common/matrix.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kSide = 18;  // squares along a side; also in the vertex shader

// The mountain's height at a position, for the stages that need it.
const char* const kHeight = R"(#version 320 es
    precision highp float;
    precision highp int;  // mediump ones may have 16 bits
    float random(ivec2 p) {
        uint h = uint(p.x) * 374761393u + uint(p.y) * 668265263u;
        h = (h ^ (h >> 13)) * 1274126177u;
        return float((h ^ (h >> 16)) & 0xffffu) / 65535.0;
    }
    float noise(vec2 p) {
        ivec2 i = ivec2(floor(p));
        vec2 t = fract(p);
        t = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
        return mix(mix(random(i), random(i + ivec2(1, 0)), t.x),
                   mix(random(i + ivec2(0, 1)), random(i + ivec2(1, 1)), t.x), t.y);
    }
    float height(vec2 p, int octaves) {
        float sum = 0.0, weight = 1.0, ridge = 1.0;
        p = p * 0.33 + vec2(3.7, 9.1);
        for (int i = 0; i < octaves; ++i) {
            float n = 1.0 - abs(2.0 * noise(p) - 1.0);  // a ridge where the noise crosses its middle
            n *= n * ridge;
            ridge = min(n * 1.6, 1.0);  // the valleys stay smooth
            sum += weight * n;
            weight *= 0.48;
            p = mat2(1.6, 1.2, -1.2, 1.6) * p;
        }
        return 1.05 * sum - 0.42;
    }
    )";

const char* const kVertex = R"(#version 320 es
    const int kSide = 18;
    void main() {  // four corners a square, counter-clockwise; no attributes
        int square = gl_VertexID / 4, corner = gl_VertexID % 4;
        vec2 cell = vec2(square % kSide, square / kSide) + vec2(corner == 1 || corner == 2, corner > 1);
        gl_Position = vec4((cell / float(kSide) - 0.5) * 16.0, 0, 1);
    })";

const char* const kControl = R"(#version 320 es
    precision highp float;
    layout(vertices = 4) out;
    uniform vec3 eye;
    float level(int a, int b) {
        vec2 from = gl_in[a].gl_Position.xy, to = gl_in[b].gl_Position.xy, middle = 0.5 * (from + to);
        return clamp(36.0 * distance(from, to) / distance(eye.xz, middle), 1.0, 48.0);
    }
    void main() {
        gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
        if (gl_InvocationID != 0) return;
        gl_TessLevelOuter[0] = level(0, 3);
        gl_TessLevelOuter[1] = level(0, 1);
        gl_TessLevelOuter[2] = level(1, 2);
        gl_TessLevelOuter[3] = level(3, 2);
        gl_TessLevelInner[0] = 0.5 * (gl_TessLevelOuter[1] + gl_TessLevelOuter[3]);
        gl_TessLevelInner[1] = 0.5 * (gl_TessLevelOuter[0] + gl_TessLevelOuter[2]);
    })";

const char* const kEvaluation = R"(
    layout(quads, fractional_odd_spacing, ccw) in;
    uniform mat4 view;
    out vec3 e_place;
    void main() {
        vec2 a = mix(gl_in[0].gl_Position.xy, gl_in[1].gl_Position.xy, gl_TessCoord.x);
        vec2 b = mix(gl_in[3].gl_Position.xy, gl_in[2].gl_Position.xy, gl_TessCoord.x);
        vec2 p = mix(a, b, gl_TessCoord.y);
        e_place = vec3(p.x, max(height(p, 6), 0.0), p.y);  // the lake is flat
        gl_Position = view * vec4(e_place, 1);
    })";

const char* const kGeometry = R"(#version 320 es
    precision highp float;
    layout(triangles) in;
    layout(triangle_strip, max_vertices = 3) out;
    in vec3 e_place[];
    out vec3 v_place, v_corner;
    void main() {
        for (int i = 0; i < 3; ++i) {
            v_place = e_place[i];
            v_corner = vec3(i == 0, i == 1, i == 2);  // 1 at the corner, 0 on the opposite edge
            gl_Position = gl_in[i].gl_Position;
            EmitVertex();
        }
    })";

const char* const kFragment = R"(
    uniform vec3 eye;
    uniform float middle;
    in vec3 v_place, v_corner;
    out vec4 pixel;
    void main() {
        vec2 p = v_place.xz;
        vec3 to_eye = normalize(eye - v_place), to_sun = normalize(vec3(-0.75, 0.55, 0.35));
        float h = height(p, 8), e = 0.02;
        vec3 color;
        vec3 sky = mix(vec3(0.98, 0.78, 0.6), vec3(0.3, 0.5, 0.8), 0.6);
        if (h < 0.0) {
            vec3 n = normalize(vec3(0.04 * noise(p * 14.0) - 0.02, 1, 0.04 * noise(p * 11.0) - 0.02));
            color = mix(vec3(0.05, 0.22, 0.3), sky, 0.15 + 0.85 * pow(1.0 - to_eye.y, 4.0));
            color = mix(color, vec3(0.12, 0.38, 0.42), 0.5 * smoothstep(-0.25, 0.0, h));
            color += pow(max(dot(n, normalize(to_eye + to_sun)), 0.0), 300.0);
        } else {
            vec3 n = normalize(vec3(h - height(p + vec2(e, 0), 8), e, h - height(p + vec2(0, e), 8)));
            float grain = noise(p * 9.0) - 0.5, flat_ = smoothstep(0.55, 0.8, n.y);
            float grass = flat_ * (1.0 - smoothstep(0.3, 0.7, h + 0.25 * grain));
            float snow = smoothstep(0.62, 0.85, h + 0.3 * grain) * smoothstep(0.3, 0.6, n.y);
            vec3 paint = mix(vec3(0.4, 0.34, 0.3), vec3(0.27, 0.38, 0.14), grass);
            paint = mix(vec3(0.62, 0.55, 0.38), paint, smoothstep(0.02, 0.09, h));  // the beach
            paint = mix(paint, vec3(0.95, 0.96, 1), snow);
            vec3 from_sky = vec3(0.36, 0.42, 0.55) * (0.6 + 0.4 * n.y);
            color = paint * (from_sky + vec3(1.25, 1.08, 0.85) * max(dot(n, to_sun), 0.0));
        }
        vec3 width = fwidth(v_corner), near = smoothstep(width * 0.3, width * 1.3, v_corner);
        float line = 1.0 - min(min(near.x, near.y), near.z);
        color = mix(color, vec3(1.0, 0.95, 0.8),
                    0.55 * line * smoothstep(0.9, 1.35, gl_FragCoord.x / middle));
        float far = distance(eye, v_place);
        pixel = vec4(mix(sky, color, exp(-0.0035 * far * far)), 1);
    })";

const char* const kSky = R"(#version 310 es
    precision highp float;
    uniform float height;
    out vec4 pixel;
    void main() {
        float up = smoothstep(0.45, 1.0, gl_FragCoord.y / height);
        pixel = vec4(mix(vec3(0.98, 0.78, 0.6), vec3(0.3, 0.5, 0.8), up), 1);
    })";

}  // namespace

void draw_terrain(int width, int height) {
    glViewport(0, 0, width, height);
    glClear(GL_DEPTH_BUFFER_BIT);
    const GLuint sky = build_program(kWholeViewport, kSky, {});
    glUseProgram(sky);
    glUniform1f(glGetUniformLocation(sky, "height"), GLfloat(height));
    glDrawArrays(GL_TRIANGLES, 0, 3);

    const std::string evaluation = std::string(kHeight) + kEvaluation,
                      fragment = std::string(kHeight) + kFragment;
    const GLuint program = build_program({{GL_VERTEX_SHADER, kVertex},
                                          {GL_TESS_CONTROL_SHADER, kControl},
                                          {GL_TESS_EVALUATION_SHADER, evaluation.c_str()},
                                          {GL_GEOMETRY_SHADER, kGeometry},
                                          {GL_FRAGMENT_SHADER, fragment.c_str()}});
    glUseProgram(program);
    const float eye[] = {0.4f, 2.0f, 7.6f};
    const Matrix view = perspective(0.9f, float(width) / float(height), 0.1f, 40) * rotate_x(0.28f) *
                        translate(-eye[0], -eye[1], -eye[2]);
    glUniformMatrix4fv(glGetUniformLocation(program, "view"), 1, GL_FALSE, view.m);
    glUniform3fv(glGetUniformLocation(program, "eye"), 1, eye);
    glUniform1f(glGetUniformLocation(program, "middle"), 0.5f * float(width));
    glEnable(GL_DEPTH_TEST);
    glPatchParameteri(GL_PATCH_VERTICES, 4);
    glDrawArrays(GL_PATCHES, 0, 4 * kSide * kSide);
}

}  // namespace example
