// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ReadPixels of depth and stencil (NV_read_depth, NV_read_stencil, NV_read_depth_stencil).
#include <doctest/doctest.h>

#include <cstring>

#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using st::images_test::Fixture30;

namespace {

struct Depths : Fixture30 {
    /// A framebuffer with this texture attached as depth, and as stencil if it has both. The word is texel
    /// (1, 0).
    void attach(GLenum format, const void* texel, size_t size_B) {
        const GLuint rb = renderbuffer(format, 4, 4);
        framebuffer();
        const bool both = format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8;
        FramebufferRenderbuffer(gl(), GL_FRAMEBUFFER,
                                both ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                                rb);
        REQUIRE(CheckFramebufferStatus(gl(), GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        auto& r = static_cast<fake::FakeResource&>(*gl().share->renderbuffers.find(rb)->resource);
        std::memcpy(r.at(0, 1, 0, 0), texel, size_B);
        CHECK(error() == GL_NO_ERROR);
    }
    template <class T>
    T read(GLenum format, GLenum type) {
        T v{};
        ReadPixels(gl(), 1, 0, 1, 1, format, type, &v);
        return v;
    }
};

}  // namespace

TEST_CASE("depth and stencil of a packed image") {
    Depths f;
    const uint32_t texel = 0x5a800000;  // stencil is in the upper bits
    f.attach(GL_DEPTH24_STENCIL8, &texel, 4);
    CHECK(f.read<uint16_t>(GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT) == 0x8000);
    CHECK((f.read<uint32_t>(GL_DEPTH_COMPONENT, GL_UNSIGNED_INT_24_8) >> 8) == 0x800000);
    // 24 bits are converted to 32 through a float: the last of the 24 bits may differ.
    CHECK(f.read<uint32_t>(GL_DEPTH_COMPONENT, GL_UNSIGNED_INT) - 0x80000000u <= 0x100);
    CHECK((f.read<uint32_t>(GL_DEPTH_COMPONENT, GL_UNSIGNED_INT_24_8) >> 8) == 0x800000);
    CHECK(f.read<uint8_t>(GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE) == 0x5a);
    CHECK(f.read<uint32_t>(GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8) == 0x8000005a);
    CHECK(f.error() == GL_NO_ERROR);
    // The type must fit the kind of the plane.
    f.read<float>(GL_DEPTH_COMPONENT, GL_FLOAT);
    CHECK(f.error() == GL_INVALID_OPERATION);
    f.read<uint16_t>(GL_STENCIL_INDEX_OES, GL_UNSIGNED_SHORT);
    CHECK(f.error() == GL_INVALID_OPERATION);
    f.read<uint32_t>(GL_RGBA, GL_UNSIGNED_BYTE);  // there is no colour attachment
    CHECK(f.error() == GL_INVALID_OPERATION);
}

TEST_CASE("floats, and a framebuffer without the requested plane") {
    Depths f;
    const float depth = 0.375f;
    f.attach(GL_DEPTH_COMPONENT32F, &depth, 4);
    CHECK(f.read<float>(GL_DEPTH_COMPONENT, GL_FLOAT) == 0.375f);
    CHECK(f.error() == GL_NO_ERROR);
    f.read<uint16_t>(GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT);
    CHECK(f.error() == GL_INVALID_OPERATION);
    f.read<uint8_t>(GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE);
    CHECK(f.error() == GL_INVALID_OPERATION);
    f.read<uint64_t>(GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV);
    CHECK(f.error() == GL_INVALID_OPERATION);
}

TEST_CASE("OpenGL ES 2.0 reads only colours") {
    st::images_test::Fixture f;
    uint32_t v = 7;
    ReadPixels(f.gl(), 0, 0, 1, 1, GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE, &v);
    CHECK(f.error() == GL_INVALID_ENUM);
    ReadPixels(f.gl(), 0, 0, 1, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, &v);
    CHECK(f.error() == GL_INVALID_OPERATION);
    CHECK(v == 7);
}
