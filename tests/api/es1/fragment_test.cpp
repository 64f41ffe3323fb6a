// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fog, alpha test, clip planes, points, flat shading, logic operations, glDrawTex, paletted textures.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/api/es1/client.h"

using namespace es1_client;

TEST_CASE("es1 pixels: fog by depth") {
    Client client;
    glMatrixMode(GL_PROJECTION);
    glOrthof(-1, 1, -1, 1, 0, 10);
    glMatrixMode(GL_MODELVIEW);
    const GLfloat fog[4] = {0.2f, 0.4f, 1, 0};
    glFogfv(GL_FOG_COLOR, fog);
    glFogf(GL_FOG_DENSITY, 0.3f);
    glFogf(GL_FOG_START, 2);
    glFogf(GL_FOG_END, 6);
    glEnable(GL_FOG);
    glColor4f(1, 0.5f, 0, 0.25f);
    for (GLenum mode : {GL_LINEAR, GL_EXP, GL_EXP2})
        for (float z : {0.5f, 2.5f, 4.0f, 7.0f}) {
            glFogf(GL_FOG_MODE, GLfloat(mode));
            client.quad(-z);
            const double f = mode == GL_LINEAR ? (6 - double(z)) / 4
                             : mode == GL_EXP  ? std::exp(-0.3 * double(z))
                                               : std::exp(-0.09 * double(z) * double(z));
            const double k = std::min(std::max(f, 0.0), 1.0);
            const auto byte = [&](double c, double of_fog) {
                return uint8_t(std::lround(255 * (k * c + (1 - k) * of_fog)));
            };
            const Pixel expected{byte(1, 0.2), byte(0.5, 0.4), byte(0, 1), 64};
            INFO("mode " << mode << ", z " << z << ": " << text(client.pixel()) << ", expected "
                         << text(expected));
            CHECK(near(client.pixel(), expected, 1));
        }
}

TEST_CASE("es1 pixels: alpha test") {
    Client client;
    glEnable(GL_ALPHA_TEST);
    const bool passes[8][3] = {{false, false, false}, {true, false, false}, {false, true, false},
                               {true, true, false},   {false, false, true}, {true, false, true},
                               {false, true, true},   {true, true, true}};
    for (unsigned func = 0; func < 8; ++func)
        for (unsigned i = 0; i < 3; ++i) {
            CAPTURE(func);
            CAPTURE(i);
            glClear(GL_COLOR_BUFFER_BIT);
            glAlphaFunc(GL_NEVER + func, 0.5f);
            glColor4f(1, 1, 1, 0.25f * float(i + 1));
            client.quad();
            CHECK((client.pixel()[0] == 255) == passes[func][i]);
        }
}

TEST_CASE("es1 pixels: clip planes, in the coordinates of the matrix at the time they were set") {
    Client client;
    const GLfloat left[4] = {1, 0, 0, 0}, low[4] = {0, 1, 0, 0.5f};
    glTranslatef(-0.5f, 0, 0);
    glClipPlanef(GL_CLIP_PLANE0, left);  // keeps x >= -0.5
    glLoadIdentity();
    glClipPlanef(GL_CLIP_PLANE5, low);  // keeps y >= -0.5
    glEnable(GL_CLIP_PLANE0);
    glEnable(GL_CLIP_PLANE5);
    client.quad();
    CHECK(client.pixel(7, 16)[0] == 0);
    CHECK(client.pixel(8, 16)[0] == 255);
    CHECK(client.pixel(16, 7)[0] == 0);
    CHECK(client.pixel(16, 8)[0] == 255);
    glDisable(GL_CLIP_PLANE0);
    client.quad();
    CHECK(client.pixel(7, 16)[0] == 255);
}

TEST_CASE("es1 pixels: sizes of points") {
    Client client;
    glEnableClientState(GL_VERTEX_ARRAY);
    const GLfloat at[3] = {0, 0, -0.5f};
    const auto width = [&] {
        glClear(GL_COLOR_BUFFER_BIT);
        glVertexPointer(3, GL_FLOAT, 0, at);
        glDrawArrays(GL_POINTS, 0, 1);
        int n = 0;
        for (int x = 0; x < kSize_px; ++x)
            n += client.pixel(x, kSize_px / 2)[0] != 0;
        return n;
    };
    glPointSize(8);
    CHECK(width() == 8);
    glPointSize(7.6f);
    CHECK(width() == 8);  // rounded
    glPointParameterf(GL_POINT_SIZE_MAX, 4);
    CHECK(width() == 4);
    glPointParameterf(GL_POINT_SIZE_MAX, 60);
    glPointParameterf(GL_POINT_SIZE_MIN, 12);
    CHECK(width() == 12);
    glPointParameterf(GL_POINT_SIZE_MIN, 0);
    const GLfloat attenuation[3] = {0, 0, 16};  // at a distance of 0.5: size / 2
    glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, attenuation);
    glPointSize(20);
    CHECK(width() == 10);
    const GLfloat size = 12;
    glEnableClientState(GL_POINT_SIZE_ARRAY_OES);
    glPointSizePointerOES(GL_FLOAT, 0, &size);
    CHECK(width() == 6);
    // A smooth point is a disc with an antialiased edge.
    glDisableClientState(GL_POINT_SIZE_ARRAY_OES);
    glEnable(GL_POINT_SMOOTH);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ZERO);
    CHECK(width() >= 10);
    CHECK(client.pixel(16, 16)[0] == 255);
    CHECK(client.pixel(16 - 5, 16 - 5)[0] == 0);
}

TEST_CASE("es1 pixels: point sprites show the texture's first row at their top") {
    Client client;
    const uint8_t texels[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0};  // red, green; blue, yellow
    client.texture(GL_RGB, 2, 2, texels);
    glEnable(GL_POINT_SPRITE_OES);
    glTexEnvi(GL_POINT_SPRITE_OES, GL_COORD_REPLACE_OES, GL_TRUE);
    glPointSize(16);
    glEnableClientState(GL_VERTEX_ARRAY);
    const GLfloat at[2] = {0, 0};
    glVertexPointer(2, GL_FLOAT, 0, at);
    glDrawArrays(GL_POINTS, 0, 1);
    CHECK(client.pixel(12, 20) == Pixel{255, 0, 0, 255});
    CHECK(client.pixel(20, 20) == Pixel{0, 255, 0, 255});
    CHECK(client.pixel(12, 12) == Pixel{0, 0, 255, 255});
    CHECK(client.pixel(20, 12) == Pixel{255, 255, 0, 255});
}

TEST_CASE("es1 pixels: flat shading uses a primitive's last vertex") {
    Client client;
    const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    const GLubyte colors[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 0, 255};
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, corners);
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, colors);
    glShadeModel(GL_FLAT);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(client.pixel(4, 4) == Pixel{0, 0, 255, 255});
    CHECK(client.pixel(28, 28) == Pixel{255, 255, 0, 255});
    glShadeModel(GL_SMOOTH);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    const Pixel middle = client.pixel();
    CHECK((middle[1] > 100 && middle[1] < 155 && middle[2] > 100 && middle[2] < 155));
}

TEST_CASE("es1 pixels: logic operations") {
    Client client;
    const uint8_t s = 0b11001010, d = 0b10100110;
    const uint8_t expected[16] = {0,
                                  s & d,
                                  s & uint8_t(~d),
                                  s,
                                  uint8_t(~s) & d,
                                  d,
                                  s ^ d,
                                  s | d,
                                  uint8_t(~(s | d)),
                                  uint8_t(~(s ^ d)),
                                  uint8_t(~d),
                                  uint8_t(s | ~d),
                                  uint8_t(~s),
                                  uint8_t(~s | d),
                                  uint8_t(~(s & d)),
                                  255};
    glClearColor(d / 255.0f, d / 255.0f, d / 255.0f, d / 255.0f);
    glColor4ub(s, s, s, s);
    glEnable(GL_COLOR_LOGIC_OP);
    glEnable(GL_BLEND);  // the logic operation disables it
    for (unsigned op = 0; op < 16; ++op) {
        CAPTURE(op);
        glClear(GL_COLOR_BUFFER_BIT);
        glLogicOp(GL_CLEAR + op);
        client.quad();
        const uint8_t e = expected[op];
        CHECK(text(client.pixel()) == text({e, e, e, e}));
    }
}

TEST_CASE("es1 pixels: glDrawTex copies texels one to one, and does not change arrays and matrices") {
    Client client;
    std::vector<uint8_t> texels(16 * 16 * 4);
    for (unsigned i = 0; i < 256; ++i)
        texels[i * 4] = uint8_t(i), texels[i * 4 + 1] = uint8_t(255 - i), texels[i * 4 + 3] = 255;
    client.texture(GL_RGBA, 16, 16, texels.data());
    const GLint crop[4] = {2, 3, 8, 8};
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, crop);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glTranslatef(9, 9, 9);
    glViewport(3, 4, 5, 6);
    glEnable(GL_LIGHTING);
    glDrawTexiOES(20, 10, 0, 8, 8);
    for (int y : {0, 3, 7})
        for (int x : {0, 4, 7}) {
            const unsigned t = unsigned((y + 3) * 16 + x + 2);
            CHECK(text(client.pixel(20 + x, 10 + y)) == text({uint8_t(t), uint8_t(255 - t), 0, 255}));
        }
    CHECK(client.pixel(19, 10) == Pixel{0, 0, 0, 0});
    CHECK(client.pixel(28, 10) == Pixel{0, 0, 0, 0});
    GLint viewport[4];
    glGetIntegerv(GL_VIEWPORT, viewport);
    CHECK((viewport[0] == 3 && viewport[3] == 6));
    CHECK_FALSE(glIsEnabled(GL_VERTEX_ARRAY));
    // Upside down, twice as large.
    const GLint flipped[4] = {2, 11, 8, -8};
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, flipped);
    glDrawTexfOES(0, 0, 0, 16, 16);
    CHECK(client.pixel(0, 0)[0] == 10 * 16 + 2);
    CHECK(client.pixel(15, 15)[0] == 3 * 16 + 9);
    glDrawTexiOES(0, 0, 0, 0, 5);
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("es1 pixels: paletted textures, generated mipmaps, framebuffer objects") {
    Client client;
    std::vector<uint8_t> data(16 * 2 + 2);
    const uint16_t red = 0xf800, green = 0x07e0;
    std::memcpy(&data[3 * 2], &red, 2);
    std::memcpy(&data[9 * 2], &green, 2);
    data[32] = 0x39, data[33] = 0x93;
    client.texture(GL_RGB, 2, 2, nullptr);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_PALETTE4_R5_G6_B5_OES, 2, 2, 0, GLsizei(data.size()),
                           data.data());
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    const auto at = [&](float s, float t) {
        glMultiTexCoord4f(GL_TEXTURE0, s, t, 0, 1);
        client.quad();
        return client.pixel();
    };
    CHECK(at(0.25f, 0.25f) == Pixel{255, 0, 0, 255});
    CHECK(at(0.75f, 0.25f) == Pixel{0, 255, 0, 255});
    CHECK(at(0.25f, 0.75f) == Pixel{0, 255, 0, 255});
    // A 4x4 texture with a white half: minified to one pixel it is grey.
    uint8_t half[16] = {255, 255, 255, 255, 255, 255, 255, 255};
    client.texture(GL_LUMINANCE, 4, 4, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, 4, 4, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, half);
    const GLfloat coords[] = {0, 0, 32, 0, 0, 32, 32, 32};
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    glTexCoordPointer(2, GL_FLOAT, 0, coords);
    client.quad();
    CHECK(near(client.pixel(), {128, 128, 128, 255}, 1));
    GLuint framebuffer, target;
    glDisable(GL_TEXTURE_2D);
    glGenFramebuffersOES(1, &framebuffer);
    glBindFramebufferOES(GL_FRAMEBUFFER_OES, framebuffer);
    target = client.texture(GL_RGBA, 32, 32, nullptr);
    glDisable(GL_TEXTURE_2D);
    glFramebufferTexture2DOES(GL_FRAMEBUFFER_OES, GL_COLOR_ATTACHMENT0_OES, GL_TEXTURE_2D, target, 0);
    CHECK(glCheckFramebufferStatusOES(GL_FRAMEBUFFER_OES) == GL_FRAMEBUFFER_COMPLETE_OES);
    glColor4f(0.2f, 0, 0, 1);
    client.quad();
    CHECK(client.pixel() == Pixel{51, 0, 0, 255});
    glBindFramebufferOES(GL_FRAMEBUFFER_OES, 0);
    CHECK(near(client.pixel(), {128, 128, 128, 255}, 1));
}
