// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A pane of frosted glass before a picture. A compute shader blurs the picture twice, along its rows and
// along its columns, from one image to another. A workgroup reads its part of a line once, into shared
// memory, where each invocation finds its neighbours.
#include <GLES3/gl31.h>

#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kGroup = 64;  // texels of a line that a workgroup writes; also in the shader

const char* const kBalls = R"(#version 310 es
    precision highp float;
    precision highp int;  // mediump ones may have 16 bits
    uniform vec2 size;
    out vec4 pixel;
    float random(int i) {
        uint h = uint(i) * 2654435761u;
        return float((h ^ (h >> 15)) * 2246822519u >> 8) / 16777216.0;
    }
    void main() {
        vec2 p = (gl_FragCoord.xy * 2.0 - size) / size.y;
        vec3 color = mix(vec3(0.93, 0.55, 0.4), vec3(0.16, 0.12, 0.36), 0.5 + 0.5 * p.y);
        for (int i = 0; i < 40; ++i) {
            float radius = 0.06 + 0.005 * float(i);
            vec2 center = vec2(random(3 * i), random(3 * i + 1)) * 2.4 - 1.2, d = (p - center) / radius;
            float inside = 1.0 - dot(d, d);
            vec3 normal = vec3(d, sqrt(max(inside, 0.0)));
            vec3 paint = 0.55 + 0.45 * cos(6.28 * (random(3 * i + 2) + vec3(0, 0.33, 0.67)));
            float light = clamp(dot(normal, vec3(-0.43, 0.74, 0.52)), 0.0, 1.0);
            vec3 ball = paint * (0.25 + 0.75 * light) + 0.8 * pow(light, 30.0);
            color = mix(color, ball, smoothstep(0.0, 3.0 / (size.y * radius), inside));
        }
        pixel = vec4(color, 1);
    })";

const char* const kBlur = R"(#version 310 es
    precision highp float;
    precision highp image2D;
    const int kGroup = 64, kRadius = 24;
    layout(local_size_x = 64) in;
    layout(rgba8, binding = 0) readonly uniform image2D from;
    layout(rgba8, binding = 1) writeonly uniform image2D to;
    uniform ivec2 along;  // (1, 0): rows, (0, 1): columns
    shared vec3 line[kGroup + 2 * kRadius];
    void main() {
        int me = int(gl_LocalInvocationID.x), start = int(gl_WorkGroupID.x) * kGroup;
        ivec2 across = ivec2(1) - along, origin = across * int(gl_WorkGroupID.y), last = imageSize(from) - 1;
        for (int i = me; i < kGroup + 2 * kRadius; i += kGroup)
            line[i] = imageLoad(from, clamp(origin + along * (start + i - kRadius), ivec2(0), last)).rgb;
        memoryBarrierShared();
        barrier();  // until the whole line has been read
        vec3 sum = vec3(0);
        float weights = 0.0;
        for (int i = -kRadius; i <= kRadius; ++i) {
            float x = float(i) / float(kRadius), weight = exp(-4.0 * x * x);
            sum += weight * line[me + kRadius + i];
            weights += weight;
        }
        // A group at the picture's edge may reach beyond it: such stores do nothing.
        imageStore(to, origin + along * (start + me), vec4(sum / weights, 1));
    })";

const char* const kPane = R"(#version 310 es
    precision highp float;
    uniform sampler2D sharp, blurred;
    uniform vec2 size;
    out vec4 pixel;
    void main() {
        ivec2 at = ivec2(gl_FragCoord.xy);
        vec2 p = (gl_FragCoord.xy * 2.0 - size) / size.y;
        // The distance from the pane's edge, negative inside. It is a rectangle with round corners.
        vec2 q = abs(p) - vec2(0.5, 0.35);
        float edge = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - 0.15, step = 2.0 / size.y;
        float shadow = 0.45 * (1.0 - smoothstep(-0.05, 0.18, edge));
        vec3 outside = texelFetch(sharp, at, 0).rgb * (1.0 - shadow);
        vec3 glass = texelFetch(blurred, at, 0).rgb * 0.82 + 0.16;
        glass += 0.35 * smoothstep(-3.0 * step, 0.0, edge);
        pixel = vec4(mix(glass, outside, smoothstep(-step, step, edge)), 1);
    })";

void use_with_size(GLuint program, int width, int height) {
    glUseProgram(program);
    glUniform2f(glGetUniformLocation(program, "size"), GLfloat(width), GLfloat(height));
}

void draw_picture(GLuint texture, int width, int height) {
    GLint window = 0;
    GLuint framebuffer;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &window);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    use_with_size(build_program(kWholeViewport, kBalls, {}), width, height);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindFramebuffer(GL_FRAMEBUFFER, GLuint(window));
}

/// One direction; `length` texels a line, `lines` lines.
void blur(GLuint program, GLuint from, GLuint to, int length, int lines, bool rows) {
    glBindImageTexture(0, from, 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA8);
    glBindImageTexture(1, to, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glUniform2i(glGetUniformLocation(program, "along"), rows, !rows);
    glDispatchCompute(GLuint((length + kGroup - 1) / kGroup), GLuint(lines), 1);
}

}  // namespace

void draw_blur(int width, int height) {
    GLuint textures[3];  // the picture, its rows blurred, everything blurred
    glGenTextures(3, textures);
    for (const GLuint t : textures) {
        glBindTexture(GL_TEXTURE_2D, t);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
    }
    glViewport(0, 0, width, height);
    draw_picture(textures[0], width, height);

    const GLuint program = build_program({{GL_COMPUTE_SHADER, kBlur}});
    glUseProgram(program);
    blur(program, textures[0], textures[1], width, height, true);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);  // the columns read what the rows wrote
    blur(program, textures[1], textures[2], height, width, false);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);  // the pane samples it as a texture

    const GLuint pane = build_program(kWholeViewport, kPane, {});
    use_with_size(pane, width, height);
    glUniform1i(glGetUniformLocation(pane, "sharp"), 0);
    glUniform1i(glGetUniformLocation(pane, "blurred"), 1);
    for (const int i : {0, 1}) {
        glActiveTexture(GL_TEXTURE0 + GLenum(i));
        glBindTexture(GL_TEXTURE_2D, textures[2 * i]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    }
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace example
