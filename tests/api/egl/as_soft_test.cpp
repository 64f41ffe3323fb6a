// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Errors that Khronos' lists found on a device but not on the CPU. Each becomes a scene that both draw.
#include "tests/api/egl/as_soft.h"

using namespace as_soft;

TEST_CASE("as soft: borders of integers, of every size, in 2D, 3D and arrays") {
    struct Format {
        GLenum internal, format, type;
        const char* prefix;
    };
    const Format formats[] = {{GL_R8I, GL_RED_INTEGER, GL_BYTE, "i"},
                              {GL_RG8UI, GL_RG_INTEGER, GL_UNSIGNED_BYTE, "u"},
                              {GL_R16I, GL_RED_INTEGER, GL_SHORT, "i"},
                              {GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, "u"},
                              {GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, "u"},
                              {GL_R32I, GL_RED_INTEGER, GL_INT, "i"},
                              {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, "u"},
                              {GL_RG32I, GL_RG_INTEGER, GL_INT, "i"},
                              {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, "u"}};
    for (const Format& f : formats)
        for (const GLenum target : {GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY})
            for (const bool large : {false, true}) {
                CAPTURE(f.internal);
                CAPTURE(target);
                CAPTURE(large);
                check([&] {
                    const bool flat = target == GL_TEXTURE_2D;
                    texture(target, f.internal, 8, 8, flat ? 0 : 4);
                    const Bytes texels(size_t(8 * 8 * 4 * 16), 7);
                    if (flat)
                        glTexSubImage2D(target, 0, 0, 0, 8, 8, f.format, f.type, texels.data());
                    else
                        glTexSubImage3D(target, 0, 0, 0, 0, 8, 8, 4, f.format, f.type, texels.data());
                    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
                        glTexParameteri(target, wrap, GL_CLAMP_TO_BORDER);
                    // Components that the format does not have are undefined.
                    const GLint small_border[4] = {100, 3, 77, 1},
                                large_border[4] = {0x12345678, -5, 0x7ffffff, 1 << 25};
                    const bool wide = large && (f.type == GL_INT || f.type == GL_UNSIGNED_INT);
                    glTexParameterIiv(target, GL_TEXTURE_BORDER_COLOR, wide ? large_border : small_border);
                    const std::string p = f.prefix;
                    program({{GL_VERTEX_SHADER, kAll},
                             {GL_FRAGMENT_SHADER,
                              "uniform highp " + p + "sampler" +
                                  (flat                      ? "2D"
                                   : target == GL_TEXTURE_3D ? "3D"
                                                             : "2DArray") +
                                  " t; in vec2 uv; out " + p + "vec4 o;\nvoid main() { o = texture(t, " +
                                  (flat                      ? "uv * 3.0 - 1.0"
                                   : target == GL_TEXTURE_3D ? "vec3(uv * 3.0 - 1.0, uv.x * 2.0 - 0.5)"
                                                             : "vec3(uv * 3.0 - 1.0, 1.0)") +
                                  "); }"}});
                    const bool u = p == "u";
                    framebuffer(texture(GL_TEXTURE_2D, u ? GL_RGBA32UI : GL_RGBA32I, 24, 24), 24, 24);
                    glBindTexture(GL_TEXTURE_2D, flat ? 1 : 0);
                    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
                    return read(24, 24, GL_RGBA_INTEGER, u ? GL_UNSIGNED_INT : GL_INT, 16);
                });
            }
}

TEST_CASE("as soft: sizes of arrays of cubes, in each stage") {
    const char* const size =
        "uniform highp samplerCubeArray t; uniform highp samplerCubeArrayShadow s;\n"
        "ivec4 size() { return ivec4(textureSize(t, 0).xz, textureSize(s, 1).xz); }\n";
    const std::string of_size = size;
    const auto textures = [](GLuint p) {
        glUniform1i(glGetUniformLocation(p, "s"), 1);
        for (const GLenum format : {GL_RGBA8, GL_DEPTH_COMPONENT24}) {
            glActiveTexture(format == GL_RGBA8 ? GL_TEXTURE0 : GL_TEXTURE1);
            GLuint t = 0;
            glGenTextures(1, &t);
            glBindTexture(GL_TEXTURE_CUBE_MAP_ARRAY, t);
            glTexStorage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 3, format, 16, 16, format == GL_RGBA8 ? 18 : 12);
            if (format != GL_RGBA8)
                glTexParameteri(GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_COMPARE_MODE,
                                GL_COMPARE_REF_TO_TEXTURE);
        }
    };
    const std::string pass = "flat in ivec4 v; out vec4 o; void main() { o = vec4(v) / 255.0; }";
    const std::string place =
        "gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1);";
    const std::vector<Stage> stages[] = {
        {{GL_VERTEX_SHADER, kAll},
         {GL_FRAGMENT_SHADER, of_size + "out vec4 o; void main() { o = vec4(size()) / 255.0; }"}},
        {{GL_VERTEX_SHADER, of_size + "flat out ivec4 v; void main() { v = size(); " + place + " }"},
         {GL_FRAGMENT_SHADER, pass}},
        {{GL_VERTEX_SHADER, "void main() { " + place + " }"},
         {GL_GEOMETRY_SHADER, of_size +
                                  "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
                                  "flat out ivec4 v; void main() { for (int i = 0; i < 3; ++i) { v = size();"
                                  "gl_Position = gl_in[i].gl_Position; EmitVertex(); } }"},
         {GL_FRAGMENT_SHADER, pass}},
        {{GL_VERTEX_SHADER, "void main() { " + place + " }"},
         {GL_TESS_CONTROL_SHADER,
          of_size + "layout(vertices = 3) out; patch out ivec4 w; void main() { w = size();\n"
                    "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
                    "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1.0;"
                    "gl_TessLevelInner[0] = 1.0; }"},
         {GL_TESS_EVALUATION_SHADER,
          of_size +
              "layout(triangles) in; patch in ivec4 w; flat out ivec4 v; void main() { v = w + size();\n"
              "gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y"
              " + gl_in[2].gl_Position * gl_TessCoord.z; }"},
         {GL_FRAGMENT_SHADER, pass}}};
    for (size_t i = 0; i < std::size(stages); ++i) {
        CAPTURE(i);
        check([&] {
            textures(program(stages[i]));
            glActiveTexture(GL_TEXTURE2);
            framebuffer(texture(GL_TEXTURE_2D, GL_RGBA8, 4, 4), 4, 4);
            glPatchParameteri(GL_PATCH_VERTICES, 3);
            glDrawArrays(i == 3 ? GL_PATCHES : GL_TRIANGLES, 0, 3);
            const Bytes p = read_rgba8(4, 4);
            const unsigned char by = i == 3 ? 2 : 1;
            for (const unsigned char c : {16 * by, 3 * by, 8 * by, 2 * by})
                CHECK(std::find(p.begin(), p.end(), c) != p.end());
            return p;
        });
    }
    check([&] {
        textures(program({{GL_COMPUTE_SHADER, of_size + "layout(local_size_x = 1) in;\n"
                                                        "layout(std430, binding = 0) buffer B { ivec4 v; };\n"
                                                        "void main() { v = size(); }"}}));
        GLuint b = 0;
        glGenBuffers(1, &b);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
        glBufferData(GL_SHADER_STORAGE_BUFFER, 16, nullptr, GL_STATIC_DRAW);
        glDispatchCompute(1, 1, 1);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        Bytes out(16);
        if (const void* at = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, 16, GL_MAP_READ_BIT))
            std::memcpy(out.data(), at, 16);
        glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
        CHECK(out[4] == 3);
        return out;
    });
}

TEST_CASE("as soft: gl_Layer without layers, and if attachments have different numbers of them") {
    const std::vector<Stage> layers = {
        {GL_VERTEX_SHADER, "void main() { gl_Position = vec4(0, 0, 0, 1); }"},
        {GL_GEOMETRY_SHADER,
         "layout(points) in; layout(triangle_strip, max_vertices = 4) out; uniform int layer;\n"
         "void main() { for (int i = 0; i < 4; ++i) { gl_Layer = layer;\n"
         "gl_Position = vec4(vec2(i & 1, i >> 1) * 2.0 - 1.0, 0, 1); EmitVertex(); } }"},
        {GL_FRAGMENT_SHADER, "uniform vec4 color; out vec4 o; void main() { o = color; }"}};
    const auto draw = [](GLuint p, GLint layer, float red) {
        glUniform1i(glGetUniformLocation(p, "layer"), layer);
        glUniform4f(glGetUniformLocation(p, "color"), red, 1, 0, 1);
        glDrawArrays(GL_POINTS, 0, 1);
    };
    for (const GLint layer : {0, 1, 3, 63, 255, 2047, 70000, -1}) {
        CAPTURE(layer);
        check([&] {
            const GLuint p = program(layers), array = texture(GL_TEXTURE_2D_ARRAY, GL_RGBA8, 16, 16, 4);
            framebuffer(0, 16, 16);
            glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, 2);
            glClearColor(0, 0, 1, 1);
            glClear(GL_COLOR_BUFFER_BIT);
            draw(p, layer, 1);
            const Bytes all = read_rgba8(16, 16);
            CHECK(all[0] == 255);
            CHECK(all[2] == 0);
            return all;
        });
    }
    for (const bool depth_has_fewer : {false, true}) {
        CAPTURE(depth_has_fewer);
        check([&] {
            const GLuint p = program(layers),
                         color = texture(GL_TEXTURE_2D_ARRAY, GL_RGBA8, 16, 16, depth_has_fewer ? 6 : 2),
                         depth = texture(GL_TEXTURE_2D_ARRAY, GL_DEPTH_COMPONENT16, 16, 16,
                                         depth_has_fewer ? 2 : 6);
            framebuffer(0, 16, 16);
            glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color, 0);
            glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, depth, 0);
            CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
            glEnable(GL_DEPTH_TEST);
            glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
            // Draws to layers beyond those of all attachments are undefined, but must not affect others.
            for (const GLint layer : {5, 4, 3, 2, 1, 0})
                draw(p, layer, 0.2f * float(layer));
            glDisable(GL_DEPTH_TEST);
            glDepthFunc(GL_ALWAYS);
            for (const GLint layer : {0, 1})
                draw(p, layer, 0.4f + 0.2f * float(layer));
            Bytes both;
            framebuffer(0, 16, 16);
            for (const GLint layer : {0, 1}) {
                glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color, 0, layer);
                const Bytes one = read_rgba8(16, 16);
                both.insert(both.end(), one.begin(), one.end());
            }
            return both;
        });
    }
}

TEST_CASE("as soft: a draw whose parameters were just captured") {
    for (const bool indexed : {false, true})
        for (const bool discards : {false, true}) {
            CAPTURE(indexed);
            CAPTURE(discards);
            check([&] {
                program({{GL_VERTEX_SHADER,
                          "flat out uint v; uniform uint words[5]; void main() {\n"
                          "v = words[min(gl_VertexID, 4)];\n"
                          "gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - "
                          "1.0, 0, 1); }"},
                         {GL_FRAGMENT_SHADER, "out vec4 o; void main() { o = vec4(1, 0.2, 0, 1); }"}},
                        "v");
                GLint p = 0;
                glGetIntegerv(GL_CURRENT_PROGRAM, &p);
                const GLuint words[5] = {3, 1, 0, 0, 0};
                glUniform1uiv(glGetUniformLocation(GLuint(p), "words"), 5, words);
                GLuint buffers[2], array = 0;
                glGenVertexArrays(1, &array);
                glBindVertexArray(array);
                glGenBuffers(2, buffers);
                const GLuint indices[3] = {0, 1, 2};
                glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
                glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
                glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[0]);
                const GLuint zero[5] = {};
                glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof zero, zero, GL_DYNAMIC_DRAW);
                glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffers[0]);
                framebuffer(texture(GL_TEXTURE_2D, GL_RGBA8, 16, 16), 16, 16);
                glClear(GL_COLOR_BUFFER_BIT);
                if (discards) glEnable(GL_RASTERIZER_DISCARD);
                glBeginTransformFeedback(GL_POINTS);
                glDrawArrays(GL_POINTS, 0, 5);
                glEndTransformFeedback();
                glDisable(GL_RASTERIZER_DISCARD);
                if (indexed)
                    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, nullptr);
                else
                    glDrawArraysIndirect(GL_TRIANGLES, nullptr);
                const Bytes pixels = read_rgba8(16, 16);
                CHECK(pixels[1] == 51);
                return pixels;
            });
        }
}

TEST_CASE("as soft: a patch of fewer vertices than its control shader reads") {
    // The vertices after the patch are undefined and not used in the picture.
    for (const int made : {1, 3, 8, 32})
        for (const int given : {1, 2, 5, 32}) {
            CAPTURE(made);
            CAPTURE(given);
            check([&] {
                program({{GL_VERTEX_SHADER,
                          "out vec4 v; void main() { v = vec4(gl_VertexID); gl_Position = v; }"},
                         {GL_TESS_CONTROL_SHADER,
                          "layout(vertices = " + std::to_string(made) +
                              ") out; in vec4 v[]; out vec4 w[]; uniform int n; void main() {\n"
                              "w[gl_InvocationID] = v[gl_InvocationID] + v[gl_InvocationID + n] + v[31];\n"
                              "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
                              "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 1.0; }"},
                         {GL_TESS_EVALUATION_SHADER,
                          "layout(isolines, point_mode) in; in vec4 w[]; flat out ivec4 r; uniform int m;\n"
                          "void main() { gl_Position = gl_in[m].gl_Position + w[m + 7] + w[31];\n"
                          "r = ivec4(gl_PatchVerticesIn, gl_PrimitiveID, 1, 2); }"},
                         {GL_FRAGMENT_SHADER, "out vec4 o; void main() { o = vec4(1); }"}},
                        "r");
                GLint p = 0;
                glGetIntegerv(GL_CURRENT_PROGRAM, &p);
                glUniform1i(glGetUniformLocation(GLuint(p), "n"), 100000);
                glUniform1i(glGetUniformLocation(GLuint(p), "m"), -50000);
                GLuint b = 0;
                glGenBuffers(1, &b);
                glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, b);
                constexpr int kPatches = 5, kSize_B = kPatches * 2 * 16;
                glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, kSize_B, nullptr, GL_STATIC_DRAW);
                framebuffer(texture(GL_TEXTURE_2D, GL_RGBA8, 16, 16), 16, 16);
                glPatchParameteri(GL_PATCH_VERTICES, given);
                glEnable(GL_RASTERIZER_DISCARD);
                glBeginTransformFeedback(GL_POINTS);
                glDrawArrays(GL_PATCHES, 0, given * kPatches);
                glEndTransformFeedback();
                Bytes out(kSize_B);
                if (const void* at =
                        glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, kSize_B, GL_MAP_READ_BIT))
                    std::memcpy(out.data(), at, kSize_B);
                glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
                CHECK(out[0] == made);
                return out;
            });
        }
}

TEST_CASE("as soft: textures that are redefined by copies are renderable if they were at first") {
    const GLenum formats[] = {GL_RGB8UI,  GL_RGBA8UI, GL_RGB16I,   GL_RGBA16I, GL_RGB32UI, GL_RGBA32UI,
                              GL_RGB16F,  GL_RGBA16F, GL_RGB32F,   GL_RGBA32F, GL_SRGB8,   GL_SRGB8_ALPHA8,
                              GL_RGB9_E5, GL_R8,      GL_RGB565,   GL_RGB8,    GL_RGBA8,   GL_RGB8I,
                              GL_RGBA8I,  GL_RGB16UI, GL_RGBA16UI, GL_RGB32I,  GL_RGBA32I};
    for (const GLenum target :
         {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z}) {
        CAPTURE(target);
        check([&] {
            const GLenum bound = target == GL_TEXTURE_2D ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP;
            Bytes statuses;
            for (const GLenum source : formats) {
                const GLuint from = framebuffer(texture(GL_TEXTURE_2D, source, 4, 4), 4, 4);
                if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) continue;
                GLuint anew = 0;
                glGenTextures(1, &anew);
                const auto status = [&](GLuint t, GLenum format) {
                    glBindFramebuffer(GL_FRAMEBUFFER, from);
                    glBindTexture(bound, t);
                    glCopyTexImage2D(target, 0, format, 0, 0, 4, 4, 0);
                    if (glGetError() != GL_NO_ERROR) return GLenum(0);
                    framebuffer(0, 4, 4);
                    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target, t, 0);
                    return glCheckFramebufferStatus(GL_FRAMEBUFFER);
                };
                for (const GLenum to : formats) {
                    GLuint once = 0;
                    glGenTextures(1, &once);
                    const GLenum wanted = status(once, to), got = status(anew, to);
                    CAPTURE(source);
                    CAPTURE(to);
                    CHECK(got == wanted);
                    statuses.push_back(got == GL_FRAMEBUFFER_COMPLETE);
                }
            }
            return statuses;
        });
    }
}
