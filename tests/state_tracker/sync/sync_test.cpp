// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

TEST_CASE("sync objects: lifetime and waits") {
    test::Harness h(test::es3());
    GLsync s = FenceSync(h.ctx, GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    REQUIRE(s);
    CHECK(IsSync(h.ctx, s));
    CHECK(ClientWaitSync(h.ctx, s, GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL_ALREADY_SIGNALED);
    WaitSync(h.ctx, s, 0, GL_TIMEOUT_IGNORED);
    GLint v = 0;
    GLsizei n = 0;
    GetSynciv(h.ctx, s, GL_SYNC_STATUS, 1, &n, &v);
    CHECK(v == GL_SIGNALED);
    CHECK(n == 1);
    GetSynciv(h.ctx, s, GL_OBJECT_TYPE, 1, nullptr, &v);
    CHECK(v == GL_SYNC_FENCE);
    GetSynciv(h.ctx, s, GL_SYNC_CONDITION, 1, nullptr, &v);
    CHECK(v == GL_SYNC_GPU_COMMANDS_COMPLETE);
    GetSynciv(h.ctx, s, GL_SYNC_FLAGS, 0, &n, &v);
    CHECK(n == 0);
    CHECK(h.error() == GL_NO_ERROR);
    ObjectPtrLabel(h.ctx, s, -1, "frame");
    char label[16] = {};
    GetObjectPtrLabel(h.ctx, s, sizeof label, nullptr, label);
    CHECK(std::string(label) == "frame");
    DeleteSync(h.ctx, s);
    CHECK(!IsSync(h.ctx, s));
    DeleteSync(h.ctx, nullptr);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("sync objects: errors") {
    test::Harness h(test::es3());
    CHECK(!FenceSync(h.ctx, GL_VIEWPORT, 0));
    CHECK(h.error() == GL_INVALID_ENUM);
    CHECK(!FenceSync(h.ctx, GL_SYNC_GPU_COMMANDS_COMPLETE, 1));
    CHECK(h.error() == GL_INVALID_VALUE);
    GLsync const none = reinterpret_cast<GLsync>(~uintptr_t(0));
    CHECK(!IsSync(h.ctx, none));
    DeleteSync(h.ctx, none);
    CHECK(h.error() == GL_INVALID_VALUE);
    CHECK(ClientWaitSync(h.ctx, none, 0, 0) == GL_WAIT_FAILED);
    CHECK(h.error() == GL_INVALID_VALUE);
    WaitSync(h.ctx, none, 0, GL_TIMEOUT_IGNORED);
    CHECK(h.error() == GL_INVALID_VALUE);
    GLint v = -7;
    GetSynciv(h.ctx, none, GL_SYNC_STATUS, 1, nullptr, &v);
    CHECK(h.error() == GL_INVALID_VALUE);
    GLsync s = FenceSync(h.ctx, GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    CHECK(ClientWaitSync(h.ctx, s, 2, 0) == GL_WAIT_FAILED);
    CHECK(h.error() == GL_INVALID_VALUE);
    WaitSync(h.ctx, s, 1, GL_TIMEOUT_IGNORED);
    CHECK(h.error() == GL_INVALID_VALUE);
    WaitSync(h.ctx, s, 0, 0);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetSynciv(h.ctx, s, GL_VIEWPORT, 1, nullptr, &v);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetSynciv(h.ctx, s, GL_SYNC_STATUS, -1, nullptr, &v);
    CHECK(h.error() == GL_INVALID_VALUE);
    CHECK(v == -7);
}

TEST_CASE("queries of OpenGL ES 3.0; ES 2.0 refuses them") {
    test::Harness old, h(test::es3());
    for (const GLenum name :
         {GL_MAJOR_VERSION, GL_NUM_EXTENSIONS, GL_MAX_UNIFORM_BLOCK_SIZE, GL_MAX_ELEMENT_INDEX,
          GL_TRANSFORM_FEEDBACK_ACTIVE, GL_MAX_VARYING_COMPONENTS}) {
        GLint v = 0;
        GetIntegerv(old.ctx, name, &v);
        CHECK(old.error() == GL_INVALID_ENUM);
    }
    CHECK(h.integer(GL_MAJOR_VERSION) == 3);
    CHECK(h.integer(GL_MINOR_VERSION) == 0);
    CHECK(h.integer(GL_MAX_UNIFORM_BLOCK_SIZE) >= 16384);
    CHECK(h.integer(GL_MAX_ELEMENT_INDEX) == INT32_MAX);
    GLint64 wide = 0;
    GetInteger64v(h.ctx, GL_MAX_ELEMENT_INDEX, &wide);
    CHECK(wide == 0xffffffffll);
    GetInteger64v(h.ctx, GL_MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS, &wide);
    CHECK(wide >= 4096 + 12 * 16384 / 4);
    // The list of extensions has the parts of the string.
    std::string all;
    for (GLint i = 0; i < h.integer(GL_NUM_EXTENSIONS); ++i)
        all += (i ? " " : "") +
               std::string(reinterpret_cast<const char*>(GetStringi(h.ctx, GL_EXTENSIONS, GLuint(i))));
    CHECK(all == reinterpret_cast<const char*>(GetString(h.ctx, GL_EXTENSIONS)));
    CHECK(!GetStringi(h.ctx, GL_EXTENSIONS, GLuint(h.integer(GL_NUM_EXTENSIONS))));
    CHECK(h.error() == GL_INVALID_VALUE);
    CHECK(!GetStringi(h.ctx, GL_VENDOR, 0));
    CHECK(h.error() == GL_INVALID_ENUM);
}
