// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// OVR_multiview2: draws of all kinds reach every view, on TERRAZZO_DEVICE.
#include "tests/api/egl/multiview.h"

using namespace multiview;

TEST_CASE_FIXTURE(Multiview, "extension pixels: multiview draws to every view, at unusual sizes") {
    if (!there) return;
    GLint most = 0;
    glGetIntegerv(GL_MAX_VIEWS_OVR, &most);
    CHECK(most == kMostViews);
    square_from_buffer();
    glVertexAttrib1f(1, 77 / 255.0f);
    struct Size {
        int w, h, level;
    };
    for (const Size& s : {Size{1, 1, 0}, {37, 29, 0}, {131, 67, 0}, {33, 7, 1}})
        for (const int count : {1, 2, 3, 6})
            for (const int first : {0, 3}) {
                CAPTURE(s.w);
                CAPTURE(count);
                CAPTURE(first);
                make_target(s.w, s.h, count, first, false, s.level);
                use();
                clear_to_back();
                glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
                check([&](int view, int x, int) { return covers(view, x) ? drawn(view, 77) : kBack; });
                release();
            }
}

TEST_CASE_FIXTURE(Multiview, "extension pixels: multiview with every kind of draw, and instances") {
    if (!there) return;
    const std::string version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    const bool es31 = version.find("ES 3.0") == std::string::npos;
    constexpr float kBlue[] = {50 / 255.0f, 100 / 255.0f, 150 / 255.0f};
    const GLuint strip[] = {4, 3, 0, 0}, list[] = {6, 3, 0, 0, 0};
    enum Kind { kArrays, kElements, kRestart, kArraysIndirect, kElementsIndirect, kClientArrays, kKinds };
    for (const int count : {1, 2, 6})
        for (int kind = 0; kind < kKinds; ++kind) {
            if (!es31 && (kind == kArraysIndirect || kind == kElementsIndirect)) continue;
            CAPTURE(count);
            CAPTURE(kind);
            make_target(35, 27, count, 1);
            use();
            set_instances(3);
            GLuint array = 0;
            if (kind != kClientArrays) {
                glGenVertexArrays(1, &array);
                glBindVertexArray(array);
                square_from_buffer();
                buffer_of(GL_ARRAY_BUFFER, kBlue, sizeof kBlue);
                glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
            } else {
                glBindBuffer(GL_ARRAY_BUFFER, 0);
                glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kSquare);
                glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, kBlue);
                glEnableVertexAttribArray(0);
            }
            glEnableVertexAttribArray(1);
            glVertexAttribDivisor(1, 1);
            clear_to_back();
            switch (kind) {
                case kArrays:
                case kClientArrays:
                    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 3);
                    break;
                case kElements:
                    buffer_of(GL_ELEMENT_ARRAY_BUFFER, kOrder, sizeof kOrder);
                    glDrawElementsInstanced(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, nullptr, 3);
                    break;
                case kRestart: {
                    const unsigned char order[] = {0, 1, 2, 255, 2, 1, 3};
                    buffer_of(GL_ELEMENT_ARRAY_BUFFER, order, sizeof order);
                    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
                    glDrawElementsInstanced(GL_TRIANGLE_STRIP, 7, GL_UNSIGNED_BYTE, nullptr, 3);
                    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
                    break;
                }
                case kArraysIndirect:
                    buffer_of(GL_DRAW_INDIRECT_BUFFER, strip, sizeof strip);
                    glDrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr);
                    break;
                case kElementsIndirect:
                    buffer_of(GL_ELEMENT_ARRAY_BUFFER, kOrder, sizeof kOrder);
                    buffer_of(GL_DRAW_INDIRECT_BUFFER, list, sizeof list);
                    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT, nullptr);
                    break;
            }
            check([&](int view, int x, int y) {
                return covers(view, x) ? drawn(view, 50 * (1 + y / 9)) : kBack;
            });
            glBindVertexArray(0);
            glDeleteVertexArrays(1, &array);
            glDisableVertexAttribArray(1);
            glVertexAttribDivisor(1, 0);
            release();
        }
}

TEST_CASE_FIXTURE(Multiview, "extension pixels: multiview draws of many triangles, lines and points") {
    if (!there) return;
    constexpr int kCells = 96;  // more than a batch, and enough for several threads
    std::vector<float> corners;
    for (int y = 0; y < kCells; ++y)
        for (int x = 0; x < kCells; ++x)
            for (const GLushort n : kOrder)
                for (int c = 0; c < 2; ++c)
                    corners.push_back((float(c ? y : x) + (kSquare[2 * n + c] + 1) / 2) / kCells * 2 - 1);
    buffer_of(GL_ARRAY_BUFFER, corners.data(), corners.size() * sizeof(float));
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    glVertexAttrib1f(1, 5 / 255.0f);
    for (const int count : {2, 5}) {
        make_target(150, 90, count, 2);
        use();
        clear_to_back();
        glDrawArrays(GL_TRIANGLES, 0, kCells * kCells * 6);
        check([&](int view, int x, int) { return covers(view, x) ? drawn(view, 5) : kBack; });
        release();
    }
    // A line along the bottom, and a point in the centre of each view.
    make_target(41, 5, 4, 0);
    use(views_text(4) +
            "in vec2 p; out vec2 v; uniform float instances; uniform bool points; void main() { v = "
            "vec2(gl_ViewID_OVR, instances / 255.0); gl_PointSize = 1.0; gl_Position = points ? "
            "vec4((10.0 * float(gl_ViewID_OVR) + 0.5) / 41.0 * 2.0 - 1.0, 0, 0, 1) : vec4(p.x * 2.0, -0.8, "
            "0, "
            "1); }",
        views_text(0) + kFragment);
    const float line[] = {-1, 0, 1, 0};
    buffer_of(GL_ARRAY_BUFFER, line, sizeof line);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    clear_to_back();
    glDrawArrays(GL_LINES, 0, 2);
    glUniform1i(glGetUniformLocation(program, "points"), 1);
    glDrawArrays(GL_POINTS, 0, 1);
    check([&](int view, int x, int y) {
        return y == 0 || (y == 2 && x == 10 * view) ? drawn(view, 1) : kBack;
    });
    release();
}

TEST_CASE_FIXTURE(Multiview, "extension pixels: multiview with all varyings that the limits allow") {
    if (!there) return;
    square_from_buffer();
    GLint vectors = 0;
    glGetIntegerv(GL_MAX_VARYING_VECTORS, &vectors);
    const std::string n = std::to_string(vectors);
    make_target(17, 9, 6, 0);
    use(views_text(6) + "in vec2 p; out vec4 v[" + n + "]; void main() { for (int i = 0; i < " + n +
            "; ++i) v[i] = vec4(i, gl_ViewID_OVR, p); gl_PointSize = 1.0; gl_Position = vec4(p, 0, 1); }",
        views_text(0) + "in vec4 v[" + n +
            "]; out vec4 o; void main() { float wrong = 0.0; for (int i = 0; i < " + n +
            "; ++i) wrong += abs(v[i].x - float(i)) + abs(v[i].y - float(gl_ViewID_OVR)) + abs(v[i].z - "
            "v[0].z) + abs(v[i].w - v[0].w); o = vec4(wrong < 0.01 ? 1 : 0, float(gl_ViewID_OVR) / 255.0, 0, "
            "1); }");
    clear_to_back();
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    check([](int view, int, int) { return Texel{255, static_cast<unsigned char>(view), 0, 255}; });
    release();
}
