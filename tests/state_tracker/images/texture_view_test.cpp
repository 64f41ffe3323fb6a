// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture views: the texels that they show, their queries, and the errors that EXT_texture_view defines.
#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;

using Bytes = std::vector<uint8_t>;

namespace {

struct Views : Fixture {
    Views() : Fixture(pipe::Format::R8G8B8A8_UNORM, pipe::Format::D24_UNORM_S8_UINT, 31) {}
    GLuint storage(GLenum target, GLenum format, GLsizei levels, GLsizei size, GLsizei layers) {
        const GLuint t = texture(target);
        if (target == GL_TEXTURE_2D || target == GL_TEXTURE_CUBE_MAP)
            TexStorage2D(gl(), target, levels, format, size, size);
        else
            TexStorage3D(gl(), target, levels, format, size, size, layers);
        REQUIRE(error() == GLenum(GL_NO_ERROR));
        return t;
    }
    GLenum view(GLuint name, GLenum target, GLuint of, GLenum format, GLuint level, GLuint levels,
                GLuint layer, GLuint layers) {
        TextureView(gl(), name, target, of, format, level, levels, layer, layers);
        return error();
    }
    GLuint name() {
        GLuint n = 0;
        GenTextures(gl(), 1, &n);
        return n;
    }
    GLint parameter(GLenum target, GLuint t, GLenum pname) {
        BindTexture(gl(), target, t);
        GLint v = -1;
        GetTexParameteriv(gl(), target, pname, &v);
        CHECK(error() == GLenum(GL_NO_ERROR));
        return v;
    }
};

}  // namespace

TEST_CASE("a view shows levels and layers of another texture, and writes them") {
    Views f;
    const GLuint array = f.storage(GL_TEXTURE_2D_ARRAY, GL_RGBA8, 3, 4, 5), v = f.name();
    CHECK(f.view(v, GL_TEXTURE_2D_ARRAY, array, GL_RGBA8UI, 1, 9, 2, 2) == GLenum(GL_NO_ERROR));
    BindTexture(f.gl(), GL_TEXTURE_2D_ARRAY, v);
    const GLubyte texels[] = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
    TexSubImage3D(f.gl(), GL_TEXTURE_2D_ARRAY, 0, 0, 0, 1, 2, 2, 1, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE,
                  texels);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.texel(v, 0, 1, 1, 0, 1) == Bytes{1, 2, 3, 4});
    CHECK(f.texel(array, 1, 1, 1, 0, 3) == Bytes{1, 2, 3, 4});
    CHECK(f.texel(array, 1, 1, 1, 0, 2) == Bytes{0, 0, 0, 0});
    CHECK(f.parameter(GL_TEXTURE_2D_ARRAY, v, GL_TEXTURE_VIEW_MIN_LEVEL_EXT) == 1);
    CHECK(f.parameter(GL_TEXTURE_2D_ARRAY, v, GL_TEXTURE_VIEW_NUM_LEVELS_EXT) == 2);
    CHECK(f.parameter(GL_TEXTURE_2D_ARRAY, v, GL_TEXTURE_VIEW_MIN_LAYER_EXT) == 2);
    CHECK(f.parameter(GL_TEXTURE_2D_ARRAY, v, GL_TEXTURE_VIEW_NUM_LAYERS_EXT) == 2);
    CHECK(f.parameter(GL_TEXTURE_2D_ARRAY, v, GL_TEXTURE_IMMUTABLE_LEVELS) == 3);
    CHECK(f.parameter(GL_TEXTURE_2D_ARRAY, array, GL_TEXTURE_VIEW_NUM_LAYERS_EXT) == 5);
    // A view of the view.
    const GLuint w = f.name();
    CHECK(f.view(w, GL_TEXTURE_2D, v, GL_SRGB8_ALPHA8, 0, 1, 1, 1) == GLenum(GL_NO_ERROR));
    CHECK(f.parameter(GL_TEXTURE_2D, w, GL_TEXTURE_VIEW_MIN_LEVEL_EXT) == 1);
    CHECK(f.parameter(GL_TEXTURE_2D, w, GL_TEXTURE_VIEW_MIN_LAYER_EXT) == 3);
    CHECK(f.texel(w, 0, 0, 0) == Bytes{1, 2, 3, 4});
    // It survives the deletion of the texture.
    DeleteTextures(f.gl(), 1, &array);
    CHECK(f.texel(w, 0, 1, 0) == Bytes{1, 2, 3, 4});
}

TEST_CASE("views are rendered to, and faces of cube maps are layers") {
    Views f;
    const GLuint array = f.storage(GL_TEXTURE_2D_ARRAY, GL_RGBA8, 1, 4, 7), cube = f.name(), face = f.name();
    CHECK(f.view(cube, GL_TEXTURE_CUBE_MAP, array, GL_RGBA8, 0, 1, 1, 6) == GLenum(GL_NO_ERROR));
    CHECK(f.view(face, GL_TEXTURE_2D, cube, GL_RGBA8, 0, 1, 5, 1) == GLenum(GL_NO_ERROR));
    f.framebuffer();
    FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, face, 0);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_COMPLETE));
    ClearColor(f.gl(), 0, 1, 0, 1);
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    Finish(f.gl());
    CHECK(f.texel(array, 0, 0, 0, 0, 6) == Bytes{0, 255, 0, 255});
    CHECK(f.texel(array, 0, 0, 0, 0, 5) == Bytes{0, 0, 0, 0});
    CHECK(f.texel(cube, 0, 0, 0, 5) == Bytes{0, 255, 0, 255});
}

TEST_CASE("errors of texture views") {
    Views f;
    const GLuint array = f.storage(GL_TEXTURE_2D_ARRAY, GL_RGBA8, 3, 4, 7), v = f.name(),
                 wide = f.storage(GL_TEXTURE_3D, GL_RGBA8, 1, 4, 4), loose = f.texture();
    const GLenum kValue = GL_INVALID_VALUE, kOperation = GL_INVALID_OPERATION;
    CHECK(f.view(0, GL_TEXTURE_2D, array, GL_RGBA8, 0, 1, 0, 1) == kValue);
    CHECK(f.view(v, GL_TEXTURE_2D, 4711, GL_RGBA8, 0, 1, 0, 1) == kValue);
    CHECK(f.view(4711, GL_TEXTURE_2D, array, GL_RGBA8, 0, 1, 0, 1) == kOperation);
    CHECK(f.view(wide, GL_TEXTURE_2D, array, GL_RGBA8, 0, 1, 0, 1) == kOperation);
    CHECK(f.view(v, GL_TEXTURE_2D, loose, GL_RGBA8, 0, 1, 0, 1) == kOperation);
    CHECK(f.view(v, GL_TEXTURE_3D, array, GL_RGBA8, 0, 1, 0, 1) == kOperation);
    CHECK(f.view(v, GL_TEXTURE_BUFFER, array, GL_RGBA8, 0, 1, 0, 1) == kOperation);
    CHECK(f.view(v, GL_TEXTURE_2D, array, GL_RGBA16F, 0, 1, 0, 1) == kOperation);
    CHECK(f.view(v, GL_TEXTURE_2D, array, GL_RGBA, 0, 1, 0, 1) == kOperation);
    CHECK(f.view(v, GL_TEXTURE_2D, array, GL_RGBA8, 3, 1, 0, 1) == kValue);
    CHECK(f.view(v, GL_TEXTURE_2D, array, GL_RGBA8, 0, 1, 7, 1) == kValue);
    CHECK(f.view(v, GL_TEXTURE_2D, array, GL_RGBA8, 0, 0, 0, 1) == kValue);
    CHECK(f.view(v, GL_TEXTURE_2D, array, GL_RGBA8, 0, 1, 0, 2) == kValue);
    CHECK(f.view(v, GL_TEXTURE_CUBE_MAP, array, GL_RGBA8, 0, 1, 2, 6) == kValue);
    CHECK(f.view(v, GL_TEXTURE_CUBE_MAP_ARRAY, array, GL_RGBA8, 0, 1, 0, 7) == kValue);
    CHECK(f.view(v, GL_TEXTURE_2D_ARRAY, array, GL_RGBA8, 0, 1, 0, 7) == GLenum(GL_NO_ERROR));
    CHECK(f.view(v, GL_TEXTURE_2D_ARRAY, array, GL_RGBA8, 0, 1, 0, 7) == kOperation);  // it is a view now
}
