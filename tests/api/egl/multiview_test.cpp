// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// OVR_multiview: clears, depth, queries, blits and programs, on TERRAZZO_DEVICE.
#include "tests/api/egl/multiview.h"

using namespace multiview;

TEST_CASE_FIXTURE(Multiview, "extension pixels: multiview clears, depth and stencil of each view") {
    if (!there) return;
    square_from_buffer();
    for (const int count : {2, 6}) {
        CAPTURE(count);
        make_target(45, 39, count, 1, true);
        use();
        clear_to_back();
        glClearDepthf(0.5f);
        glClearStencil(3);
        glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        // In the pass: a part, and everything once more.
        glVertexAttrib1f(1, 1);
        glEnable(GL_DEPTH_TEST);
        glDepthFunc(GL_LESS);
        // At first even views pass.
        depths({-0.5f, 0.5f, -0.5f, 0.5f, -0.5f, 0.5f});
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        check([&](int view, int x, int) {
            return view % 2 == 0 && covers(view, x) ? drawn(view, 255) : kBack;
        });
        // Their writes let only odd views pass.
        depths({0, -0.1f, 0, -0.1f, 0, -0.1f});
        glVertexAttrib1f(1, 9 / 255.0f);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        check(
            [&](int view, int x, int) { return covers(view, x) ? drawn(view, view % 2 ? 9 : 255) : kBack; });
        glEnable(GL_SCISSOR_TEST);
        glScissor(3, 5, 11, 13);
        const float other[] = {1, 1, 0, 1};
        const GLint seven = 7;
        glClearBufferfv(GL_COLOR, 0, other);
        glClearBufferiv(GL_STENCIL, 0, &seven);
        glDisable(GL_SCISSOR_TEST);
        // Pixels with stencil 7, at any depth.
        glDisable(GL_DEPTH_TEST);
        glEnable(GL_STENCIL_TEST);
        glStencilFunc(GL_EQUAL, 7, 0xff);
        glVertexAttrib1f(1, 200 / 255.0f);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glDisable(GL_STENCIL_TEST);
        check([&](int view, int x, int y) {
            const bool in = x >= 3 && x < 14 && y >= 5 && y < 18;
            if (in) return covers(view, x) ? drawn(view, 200) : Texel{255, 255, 0, 255};
            return covers(view, x) ? drawn(view, view % 2 ? 9 : 255) : kBack;
        });
        release();
    }
}

TEST_CASE_FIXTURE(Multiview, "extension pixels: multiview queries, blits and reads") {
    if (!there) return;
    square_from_buffer();
    glVertexAttrib1f(1, 0);
    make_target(21, 13, 3, 1, true);
    use();
    clear_to_back();
    glClearDepthf(0.5f);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    GLuint query = 0;
    glGenQueries(1, &query);
    for (int visible = -1; visible < 3; ++visible) {
        std::array<float, kMostViews> z;
        z.fill(0.9f);
        if (visible >= 0) z[size_t(visible)] = -0.9f;
        depths(z);
        glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glEndQuery(GL_ANY_SAMPLES_PASSED);
        GLuint any = 7;
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &any);
        CHECK(any == GLuint(visible >= 0));
    }
    glDisable(GL_DEPTH_TEST);
    // Several views cannot be read...
    unsigned char texel[4];
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
    // ... and a blit writes only the first one.
    clear_to_back();
    GLuint from = 0, flat = 0;
    glGenFramebuffers(1, &from);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glGenTextures(1, &flat);
    glBindTexture(GL_TEXTURE_2D, flat);
    const std::vector<unsigned char> white(size_t(21 * 13 * 4), 255);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 21, 13, 0, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, flat, 0);
    glBlitFramebuffer(0, 0, 21, 13, 0, 0, 21, 13, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    check([&](int view, int, int) { return view ? kBack : Texel{255, 255, 255, 255}; });
    release();
    // A single view can be read.
    make_target(3, 3, 1, 2);
    clear_to_back();
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(texel[1] == 20);
    release();
}

TEST_CASE_FIXTURE(Multiview, "extension pixels: multiview programs as binaries and in pipelines") {
    if (!there) return;
    square_from_buffer();
    glVertexAttrib1f(1, 60 / 255.0f);
    make_target(19, 23, 4, 1);
    use();
    GLint size = 0;
    glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &size);
    std::vector<unsigned char> bytes(static_cast<size_t>(size));
    GLenum format = 0;
    glGetProgramBinary(program, size, nullptr, &format, bytes.data());
    glDeleteProgram(program);
    program = glCreateProgram();
    glProgramBinary(program, format, bytes.data(), size);
    begin();
    const auto right = [&](int view, int x, int) { return covers(view, x) ? drawn(view, 60) : kBack; };
    clear_to_back();
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    check(right);
    // It still has four views.
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    const std::string version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    if (version.find("ES 3.0") == std::string::npos) {
        const std::string texts[] = {vertex_text(4), views_text(0) + kFragment};
        GLuint pipeline = 0, parts[2] = {};
        glGenProgramPipelines(1, &pipeline);
        for (int n = 0; n < 2; ++n) {
            std::string text = texts[n];
            text.replace(text.find("300"), 3, "310");
            if (n == 0)
                text.replace(text.find("in vec2 p; in float c"), 21,
                             "layout(location = 0) in vec2 p; layout(location = 1) in float c");
            const char* const string = text.c_str();
            parts[n] = glCreateShaderProgramv(n ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER, 1, &string);
            GLint ok = 0;
            glGetProgramiv(parts[n], GL_LINK_STATUS, &ok);
            REQUIRE(ok);
            glUseProgramStages(pipeline, n ? GL_FRAGMENT_SHADER_BIT : GL_VERTEX_SHADER_BIT, parts[n]);
        }
        glUseProgram(0);
        glBindProgramPipeline(pipeline);
        glProgramUniform1f(parts[0], glGetUniformLocation(parts[0], "instances"), 1);
        clear_to_back();
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        check(right);
        glBindProgramPipeline(0);
    }
    release();
}

TEST_CASE_FIXTURE(Multiview,
                  "extension pixels: multiview with only OVR_multiview, and uniforms of each view") {
    if (!there) return;
    square_from_buffer();
    make_target(51, 11, 2, 0);
    use("#version 300 es\n#extension GL_OVR_multiview : require\nlayout(num_views = 2) in; in vec2 p; "
        "uniform "
        "mat4 eyes[2]; void main() { gl_Position = eyes[gl_ViewID_OVR] * vec4(p, 0, 1); }",
        "#version 300 es\nprecision mediump float; out vec4 o; void main() { o = vec4(1, 0, 1, 1); }");
    float eyes[32] = {};
    for (int n = 0; n < 2; ++n)
        for (int d = 0; d < 4; ++d)
            eyes[16 * n + 5 * d] = 1;
    eyes[0] = 20.0f / 51;  // 20 pixels in the middle of 51, half a pixel to the left of it
    eyes[12] = -1.0f / 51;
    eyes[16] = 10.0f / 51;
    eyes[28] = 41.0f / 51;  // the last 10
    glUniformMatrix4fv(glGetUniformLocation(program, "eyes"), 2, GL_FALSE, eyes);
    clear_to_back();
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    check([&](int view, int x, int) {
        const bool in = view ? x >= 41 : x >= 15 && x < 35;
        return in ? Texel{255, 0, 255, 255} : kBack;
    });
    release();
}
