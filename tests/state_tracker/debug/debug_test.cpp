// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// KHR_debug and EXT_debug_marker.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

constexpr GLenum kApp = GL_DEBUG_SOURCE_APPLICATION_KHR, kOther = GL_DEBUG_TYPE_OTHER_KHR;
constexpr GLenum kHigh = GL_DEBUG_SEVERITY_HIGH_KHR, kLow = GL_DEBUG_SEVERITY_LOW_KHR;

struct Heard {
    GLenum source, type, severity;
    GLuint id;
    std::string text;
};

struct DebugHarness : test::Harness {
    std::vector<Heard> heard;
    DebugHarness() : test::Harness(config()) { DebugMessageCallback(ctx, hear, this); }
    static ContextConfig config() {
        ContextConfig c;
        c.debug = true;
        return c;
    }
    static void hear(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                     const GLchar* message, const void* user) {
        auto* self = const_cast<DebugHarness*>(static_cast<const DebugHarness*>(user));
        CHECK(message[length] == 0);
        self->heard.push_back({source, type, severity, id, std::string(message, size_t(length))});
    }
    void insert(GLuint id, GLenum severity = kHigh, const char* text = "text") {
        DebugMessageInsert(ctx, kApp, kOther, id, severity, -1, text);
    }
};

}  // namespace

TEST_CASE("a debug context reports errors with the command, the object and the rule") {
    DebugHarness h;
    LineWidth(h.ctx, -2);
    REQUIRE(h.heard.size() == 1);
    CHECK(h.heard[0].source == GL_DEBUG_SOURCE_API_KHR);
    CHECK(h.heard[0].type == GL_DEBUG_TYPE_ERROR_KHR);
    CHECK(h.heard[0].severity == kHigh);
    CHECK(h.heard[0].text == "GL_INVALID_VALUE in glLineWidth: width -2 is not above 0");
    // Errors that follow another one are reported, too.
    Enable(h.ctx, 0xBAD);
    CHECK(h.heard.size() == 2);
    CHECK(h.error() == GL_INVALID_VALUE);
    CHECK(h.integer(GL_CONTEXT_FLAGS) == GL_CONTEXT_FLAG_DEBUG_BIT_KHR);
    Disable(h.ctx, GL_DEBUG_OUTPUT_KHR);
    Enable(h.ctx, 0xBAD);
    CHECK(h.heard.size() == 2);
}

TEST_CASE("other contexts are silent until enabled; without a callback messages go to the log") {
    test::Harness h;
    DebugMessageInsert(h.ctx, kApp, kOther, 1, kHigh, -1, "lost");
    CHECK(h.integer(GL_DEBUG_LOGGED_MESSAGES_KHR) == 0);
    Enable(h.ctx, GL_DEBUG_OUTPUT_KHR);
    DebugMessageInsert(h.ctx, kApp, kOther, 1, kHigh, -1, "first");
    DebugMessageInsert(h.ctx, kApp, GL_DEBUG_TYPE_MARKER_KHR, 2, GL_DEBUG_SEVERITY_MEDIUM_KHR, 3, "second");
    CHECK(h.integer(GL_DEBUG_LOGGED_MESSAGES_KHR) == 2);
    CHECK(h.integer(GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH_KHR) == 6);
    GLenum sources[3], types[3], severities[3];
    GLuint ids[3];
    GLsizei lengths[3];
    char text[64];
    // A buffer that is too short for the first message receives none.
    CHECK(GetDebugMessageLog(h.ctx, 3, 5, sources, types, ids, severities, lengths, text) == 0);
    CHECK(GetDebugMessageLog(h.ctx, 3, 64, sources, types, ids, severities, lengths, text) == 2);
    CHECK(ids[1] == 2);
    CHECK(types[1] == GL_DEBUG_TYPE_MARKER_KHR);
    CHECK(severities[0] == kHigh);
    CHECK(lengths[0] == 6);
    CHECK(std::string(text) == "first");
    CHECK(std::string(text + 6) == "sec");
    CHECK(h.integer(GL_DEBUG_LOGGED_MESSAGES_KHR) == 0);
    // The log is full at its limit. Later messages are dropped.
    for (int i = 0; i < 300; ++i)
        DebugMessageInsert(h.ctx, kApp, kOther, GLuint(i), kHigh, -1, "x");
    CHECK(h.integer(GL_DEBUG_LOGGED_MESSAGES_KHR) == h.integer(GL_MAX_DEBUG_LOGGED_MESSAGES_KHR));
    CHECK(GetDebugMessageLog(h.ctx, 1000, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == 256);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("messages are filtered by source, type, severity and id") {
    DebugHarness h;
    h.insert(1, kLow);
    CHECK(h.heard.empty());  // low severity is disabled at first
    DebugMessageControl(h.ctx, kApp, GL_DONT_CARE, kLow, 0, nullptr, GL_TRUE);
    h.insert(1, kLow);
    CHECK(h.heard.size() == 1);
    DebugMessageControl(h.ctx, GL_DONT_CARE, kOther, GL_DONT_CARE, 0, nullptr, GL_FALSE);
    h.insert(1);
    CHECK(h.heard.size() == 1);
    const GLuint ids[] = {5, 6};
    DebugMessageControl(h.ctx, kApp, kOther, GL_DONT_CARE, 2, ids, GL_TRUE);
    h.insert(4);
    h.insert(6);
    CHECK(h.heard.size() == 2);
    CHECK(h.heard[1].id == 6);
    // A later filter overrides an earlier one for the same id.
    DebugMessageControl(h.ctx, GL_DONT_CARE, GL_DONT_CARE, kHigh, 0, nullptr, GL_FALSE);
    h.insert(6);
    CHECK(h.heard.size() == 2);
    h.insert(6, GL_DEBUG_SEVERITY_MEDIUM_KHR);
    CHECK(h.heard.size() == 3);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("groups are reported, and restore the filter") {
    DebugHarness h;
    PushDebugGroup(h.ctx, kApp, 42, -1, "group");
    CHECK(h.integer(GL_DEBUG_GROUP_STACK_DEPTH_KHR) == 2);
    DebugMessageControl(h.ctx, GL_DONT_CARE, kOther, GL_DONT_CARE, 0, nullptr, GL_FALSE);
    h.insert(1);
    PopDebugGroup(h.ctx);
    h.insert(2);
    REQUIRE(h.heard.size() == 3);
    CHECK(h.heard[0].type == GL_DEBUG_TYPE_PUSH_GROUP_KHR);
    CHECK(h.heard[0].severity == GL_DEBUG_SEVERITY_NOTIFICATION_KHR);
    CHECK(h.heard[1].type == GL_DEBUG_TYPE_POP_GROUP_KHR);
    CHECK(h.heard[1].id == 42);
    CHECK(h.heard[1].text == "group");
    CHECK(h.heard[2].id == 2);
}

TEST_CASE("pointers") {
    DebugHarness h;
    void* p = nullptr;
    GetPointerv(h.ctx, GL_DEBUG_CALLBACK_FUNCTION_KHR, &p);
    CHECK(p == reinterpret_cast<void*>(&DebugHarness::hear));
    GetPointerv(h.ctx, GL_DEBUG_CALLBACK_USER_PARAM_KHR, &p);
    CHECK(p == &h);
}

TEST_CASE("objects of every kind have labels") {
    test::Harness h;
    GLuint names[7];
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, names[0] = 11);
    BindTexture(h.ctx, GL_TEXTURE_2D, names[1] = 12);
    BindRenderbuffer(h.ctx, GL_RENDERBUFFER, names[2] = 13);
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, names[3] = 14);
    GenVertexArrays(h.ctx, 1, &names[4]);
    BindVertexArray(h.ctx, names[4]);
    names[5] = CreateShader(h.ctx, GL_VERTEX_SHADER);
    names[6] = CreateProgram(h.ctx);
    const GLenum kinds[] = {GL_BUFFER_KHR,       GL_TEXTURE,    GL_RENDERBUFFER, GL_FRAMEBUFFER,
                            GL_VERTEX_ARRAY_KHR, GL_SHADER_KHR, GL_PROGRAM_KHR};
    for (int i = 0; i < 7; ++i) {
        CAPTURE(i);
        char text[32];
        GLsizei length = -1;
        GetObjectLabel(h.ctx, kinds[i], names[i], 32, &length, text);
        CHECK(length == 0);
        CHECK(text[0] == 0);
        ObjectLabel(h.ctx, kinds[i], names[i], 4, "label");
        GetObjectLabel(h.ctx, kinds[i], names[i], 32, &length, text);
        CHECK(std::string(text) == "labe");
        GetObjectLabel(h.ctx, kinds[i], names[i], 3, &length, text);
        CHECK(std::string(text) == "la");
        CHECK(length == 2);
        GetObjectLabel(h.ctx, kinds[i], names[i], 0, &length, nullptr);
        CHECK(length == 4);
        ObjectLabel(h.ctx, kinds[i], names[i], 0, nullptr);
        GetObjectLabel(h.ctx, kinds[i], names[i], 32, &length, text);
        CHECK(length == 0);
    }
    CHECK(h.error() == GL_NO_ERROR);
    ObjectLabel(h.ctx, GL_SHADER_KHR, names[6], -1, "a program is no shader");
    CHECK(h.error() == GL_INVALID_VALUE);
}

TEST_CASE("markers are messages, and their groups are counted") {
    DebugHarness h;
    InsertEventMarker(h.ctx, 0, "whole");
    InsertEventMarker(h.ctx, 3, "part of it");
    PushGroupMarker(h.ctx, 0, "group");
    PopGroupMarker(h.ctx);
    PopGroupMarker(h.ctx);
    REQUIRE(h.heard.size() == 2);
    CHECK(h.heard[0].text == "whole");
    CHECK(h.heard[0].type == GL_DEBUG_TYPE_MARKER_KHR);
    CHECK(h.heard[1].text == "par");
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("without a callback messages go to the log of the context's creator") {
    std::string text;
    ContextConfig config;
    config.log = {[](void* data, pipe::Severity, std::string_view message) {
                      *static_cast<std::string*>(data) = std::string(message);
                  },
                  &text};
    test::Harness h(config);
    Enable(h.ctx, 0xBAD);
    CHECK(text == "GL_INVALID_ENUM in glEnable: cap 0x0bad is no capability");
}
