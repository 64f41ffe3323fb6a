// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Each error that OpenGL ES 2.0.25 (sections 3.7 and 6.1.3) and the extensions define for the texture
// commands.
#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;

namespace {

constexpr GLenum kFace = GL_TEXTURE_CUBE_MAP_NEGATIVE_Y;

void rgba16(Fixture& f) {
    f.texture();
    f.image(0, 16, 16);
}
void etc16(Fixture& f) {
    f.texture();
    static const uint8_t kBlocks[128] = {};
    CompressedTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 16, 16, 0, 128, kBlocks);
}
void incomplete_fbo(Fixture& f) {
    f.framebuffer();
}

const GLint kMax = 8192;

const ErrorRow kObjectRows[] = {
    {"ActiveTexture below TEXTURE0", GL_INVALID_ENUM,
     [](Fixture& f) { ActiveTexture(f.gl(), GL_TEXTURE0 - 1); }},
    {"ActiveTexture of all ones", GL_INVALID_ENUM, [](Fixture& f) { ActiveTexture(f.gl(), GLenum(-1)); }},
    {"ActiveTexture past the last unit", GL_INVALID_ENUM,
     [](Fixture& f) { ActiveTexture(f.gl(), GL_TEXTURE0 + GLenum(f.gl().limits.max_combined_textures)); }},
    {"the last unit", GL_NO_ERROR,
     [](Fixture& f) {
         ActiveTexture(f.gl(), GL_TEXTURE0 + GLenum(f.gl().limits.max_combined_textures) - 1);
     }},
    {"BindTexture target", GL_INVALID_ENUM, [](Fixture& f) { BindTexture(f.gl(), 0, 1); }},
    {"BindTexture target of ES 3.0", GL_INVALID_ENUM,
     [](Fixture& f) { BindTexture(f.gl(), GL_TEXTURE_3D, 0); }},
    {"BindTexture face", GL_INVALID_ENUM, [](Fixture& f) { BindTexture(f.gl(), kFace, 0); }},
    {"BindTexture other target", GL_INVALID_OPERATION,
     [](Fixture& f) { BindTexture(f.gl(), GL_TEXTURE_CUBE_MAP, f.texture()); }},
    {"BindTexture external as 2D", GL_INVALID_OPERATION,
     [](Fixture& f) { BindTexture(f.gl(), GL_TEXTURE_2D, f.texture(GL_TEXTURE_EXTERNAL_OES)); }},
    {"BindTexture of a name never generated", GL_NO_ERROR,
     [](Fixture& f) { BindTexture(f.gl(), GL_TEXTURE_2D, 77); }},
    {"GenTextures n", GL_INVALID_VALUE, [](Fixture& f) { GenTextures(f.gl(), -1, nullptr); }},
    {"DeleteTextures n", GL_INVALID_VALUE, [](Fixture& f) { DeleteTextures(f.gl(), -1, nullptr); }},
    {"DeleteTextures of unknown names", GL_NO_ERROR,
     [](Fixture& f) {
         const GLuint names[] = {0, 99};
         DeleteTextures(f.gl(), 2, names);
     }},
};

const ErrorRow kImageRows[] = {
    {"target", GL_INVALID_ENUM, [](Fixture& f) { f.image(0, 1, 1, nullptr, GL_RGBA, GL_UNSIGNED_BYTE, 0); }},
    {"target CUBE_MAP", GL_INVALID_ENUM,
     [](Fixture& f) { f.image(0, 1, 1, nullptr, GL_RGBA, GL_UNSIGNED_BYTE, GL_TEXTURE_CUBE_MAP); }},
    {"target EXTERNAL", GL_INVALID_ENUM,
     [](Fixture& f) { f.image(0, 1, 1, nullptr, GL_RGBA, GL_UNSIGNED_BYTE, GL_TEXTURE_EXTERNAL_OES); }},
    {"format", GL_INVALID_ENUM,
     [](Fixture& f) { TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGB, 1, 1, 0, 0, GL_UNSIGNED_BYTE, nullptr); }},
    {"type", GL_INVALID_ENUM,
     [](Fixture& f) { TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGB, 1, 1, 0, GL_RGB, 0, nullptr); }},
    {"internal format", GL_INVALID_VALUE,
     [](Fixture& f) { TexImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 1, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr); }},
    {"sized internal format of more bits", GL_INVALID_OPERATION,
     [](Fixture& f) {
         TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGBA8_OES, 1, 1, 0, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4,
                    nullptr);
     }},
    {"format is not internal format", GL_INVALID_OPERATION,
     [](Fixture& f) {
         TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
     }},
    {"565 of RGBA", GL_INVALID_OPERATION,
     [](Fixture& f) { f.image(0, 1, 1, nullptr, GL_RGBA, GL_UNSIGNED_SHORT_5_6_5); }},
    {"4444 of RGB", GL_INVALID_OPERATION,
     [](Fixture& f) { f.image(0, 1, 1, nullptr, GL_RGB, GL_UNSIGNED_SHORT_4_4_4_4); }},
    {"5551 of LUMINANCE", GL_INVALID_OPERATION,
     [](Fixture& f) { f.image(0, 1, 1, nullptr, GL_LUMINANCE, GL_UNSIGNED_SHORT_5_5_5_1); }},
    {"depth of bytes", GL_INVALID_OPERATION,
     [](Fixture& f) { f.image(0, 1, 1, nullptr, GL_DEPTH_COMPONENT, GL_UNSIGNED_BYTE); }},
    {"RGBA of UNSIGNED_INT", GL_INVALID_OPERATION,
     [](Fixture& f) { f.image(0, 1, 1, nullptr, GL_RGBA, GL_UNSIGNED_INT); }},
    {"depth cube map", GL_INVALID_OPERATION,
     [](Fixture& f) { f.image(0, 1, 1, nullptr, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, kFace); }},
    {"level -1", GL_INVALID_VALUE, [](Fixture& f) { f.image(-1, 1, 1); }},
    {"level past the last", GL_INVALID_VALUE, [](Fixture& f) { f.image(14, 1, 1); }},
    {"the last level", GL_NO_ERROR, [](Fixture& f) { f.image(13, 1, 1); }},
    {"huge level", GL_INVALID_VALUE, [](Fixture& f) { f.image(0x7fffffff, 1, 1); }},
    {"width -1", GL_INVALID_VALUE, [](Fixture& f) { f.image(0, -1, 1); }},
    {"height -1", GL_INVALID_VALUE, [](Fixture& f) { f.image(0, 1, -1); }},
    {"width", GL_INVALID_VALUE, [](Fixture& f) { f.image(0, kMax + 1, 1); }},
    {"height", GL_INVALID_VALUE, [](Fixture& f) { f.image(0, 1, kMax + 1); }},
    {"largest int", GL_INVALID_VALUE, [](Fixture& f) { f.image(0, 0x7fffffff, 0x7fffffff); }},
    {"size of a smaller level", GL_INVALID_VALUE, [](Fixture& f) { f.image(1, kMax, 1); }},
    {"border", GL_INVALID_VALUE,
     [](Fixture& f) {
         TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGB, 1, 1, 1, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
     }},
    {"face not square", GL_INVALID_VALUE,
     [](Fixture& f) { f.image(0, 1, 2, nullptr, GL_RGBA, GL_UNSIGNED_BYTE, kFace); }},
    {"empty image", GL_NO_ERROR, [](Fixture& f) { f.image(0, 0, 0); }},
    {"not a power of two", GL_NO_ERROR, [](Fixture& f) { f.image(0, 7, 13); }},
};

void sub(Fixture& f, GLenum target, GLint level, GLint x, GLint y, GLsizei w, GLsizei h,
         GLenum format = GL_RGBA, GLenum type = GL_UNSIGNED_BYTE) {
    static const uint8_t kPixels[4096] = {};
    TexSubImage2D(f.gl(), target, level, x, y, w, h, format, type, kPixels);
}

const ErrorRow kSubRows[] = {
    {"target", GL_INVALID_ENUM, [](Fixture& f) { rgba16(f), sub(f, 0, 0, 0, 0, 1, 1); }},
    {"format", GL_INVALID_ENUM, [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, 0, 0, 1, 1, 4); }},
    {"type", GL_INVALID_ENUM, [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGB, 0); }},
    {"level -1", GL_INVALID_VALUE, [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, -1, 0, 0, 1, 1); }},
    {"level past the last", GL_INVALID_VALUE,
     [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 14, 0, 0, 1, 1); }},
    {"level not defined", GL_INVALID_OPERATION,
     [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 1, 0, 0, 1, 1); }},
    {"negative x", GL_INVALID_VALUE, [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, -1, 0, 1, 1); }},
    {"negative y", GL_INVALID_VALUE, [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, 0, -1, 1, 1); }},
    {"negative width", GL_INVALID_VALUE,
     [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, 0, 0, -1, 1); }},
    {"negative height", GL_INVALID_VALUE,
     [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, 0, 0, 1, -1); }},
    {"past the right edge", GL_INVALID_VALUE,
     [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, 8, 0, 9, 1); }},
    {"past the top edge", GL_INVALID_VALUE,
     [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, 0, 8, 1, 9); }},
    {"overflow", GL_INVALID_VALUE,
     [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, 0x7fffffff, 0, 0x7fffffff, 1); }},
    {"another format", GL_INVALID_OPERATION,
     [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGB); }},
    {"565 of RGBA", GL_INVALID_OPERATION,
     [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_SHORT_5_6_5); }},
    {"another type of the format", GL_NO_ERROR,
     [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4); }},
    {"compressed image", GL_INVALID_OPERATION,
     [](Fixture& f) { etc16(f), sub(f, GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGB); }},
    {"nothing, at the edge", GL_NO_ERROR,
     [](Fixture& f) { rgba16(f), sub(f, GL_TEXTURE_2D, 0, 16, 16, 0, 0); }},
    {"null", GL_NO_ERROR,
     [](Fixture& f) {
         rgba16(f);
         TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
     }},
};

void etc(Fixture& f, GLenum target, GLint level, GLenum format, GLsizei w, GLsizei h, GLint border,
         GLsizei size) {
    static const uint8_t kBlocks[4096] = {};
    CompressedTexImage2D(f.gl(), target, level, format, w, h, border, size, kBlocks);
}

const ErrorRow kCompressedRows[] = {
    {"target", GL_INVALID_ENUM, [](Fixture& f) { etc(f, 0, 0, GL_ETC1_RGB8_OES, 0, 0, 0, 0); }},
    {"format", GL_INVALID_ENUM, [](Fixture& f) { etc(f, GL_TEXTURE_2D, 0, 0, 0, 0, 0, 0); }},
    {"uncompressed format", GL_INVALID_ENUM,
     [](Fixture& f) { etc(f, GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 0, 0); }},
    {"level -1", GL_INVALID_VALUE,
     [](Fixture& f) { etc(f, GL_TEXTURE_2D, -1, GL_ETC1_RGB8_OES, 0, 0, 0, 0); }},
    {"level", GL_INVALID_VALUE, [](Fixture& f) { etc(f, kFace, 14, GL_ETC1_RGB8_OES, 0, 0, 0, 0); }},
    {"width", GL_INVALID_VALUE, [](Fixture& f) { etc(f, GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, -1, 0, 0, 0); }},
    {"height", GL_INVALID_VALUE,
     [](Fixture& f) { etc(f, GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 0, kMax + 1, 0, 0); }},
    {"border", GL_INVALID_VALUE, [](Fixture& f) { etc(f, GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 0, 0, 1, 0); }},
    {"imageSize -1", GL_INVALID_VALUE,
     [](Fixture& f) { etc(f, GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 4, 4, 0, -1); }},
    {"imageSize too small", GL_INVALID_VALUE,
     [](Fixture& f) { etc(f, GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 5, 4, 0, 8); }},
    {"imageSize too large", GL_INVALID_VALUE,
     [](Fixture& f) { etc(f, GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 4, 4, 0, 16); }},
    {"partial blocks", GL_NO_ERROR,
     [](Fixture& f) { etc(f, GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 5, 3, 0, 16); }},
    {"empty", GL_NO_ERROR, [](Fixture& f) { etc(f, GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 0, 0, 0, 0); }},
    {"sub target", GL_INVALID_ENUM,
     [](Fixture& f) { CompressedTexSubImage2D(f.gl(), 0, 0, 0, 0, 0, 0, GL_ETC1_RGB8_OES, 0, nullptr); }},
    {"sub format", GL_INVALID_ENUM,
     [](Fixture& f) {
         etc16(f), CompressedTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 4, 4, 0, 8, nullptr);
     }},
    {"sub level", GL_INVALID_VALUE,
     [](Fixture& f) {
         etc16(f),
             CompressedTexSubImage2D(f.gl(), GL_TEXTURE_2D, -1, 0, 0, 4, 4, GL_ETC1_RGB8_OES, 8, nullptr);
     }},
    {"sub rectangle", GL_INVALID_VALUE,
     [](Fixture& f) {
         etc16(f),
             CompressedTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 12, 0, 8, 4, GL_ETC1_RGB8_OES, 16, nullptr);
     }},
    {"sub imageSize", GL_INVALID_VALUE,
     [](Fixture& f) {
         etc16(f),
             CompressedTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_ETC1_RGB8_OES, -1, nullptr);
     }},
    {"sub of a plain image", GL_INVALID_OPERATION,
     [](Fixture& f) {
         rgba16(f),
             CompressedTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_ETC1_RGB8_OES, 8, nullptr);
     }},
    {"sub of ETC1", GL_INVALID_OPERATION,
     [](Fixture& f) {
         etc16(f),
             CompressedTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_ETC1_RGB8_OES, 8, nullptr);
     }},
};

const ErrorRow kCopyRows[] = {
    {"target", GL_INVALID_ENUM, [](Fixture& f) { CopyTexImage2D(f.gl(), 0, 0, GL_RGB, 0, 0, 4, 4, 0); }},
    {"internal format", GL_INVALID_ENUM,
     [](Fixture& f) { CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 0, 4, 4, 0); }},
    {"depth", GL_INVALID_ENUM,
     [](Fixture& f) { CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 0, 0, 4, 4, 0); }},
    {"level", GL_INVALID_VALUE,
     [](Fixture& f) { CopyTexImage2D(f.gl(), GL_TEXTURE_2D, -1, GL_RGB, 0, 0, 4, 4, 0); }},
    {"width", GL_INVALID_VALUE,
     [](Fixture& f) { CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGB, 0, 0, -4, 4, 0); }},
    {"height", GL_INVALID_VALUE,
     [](Fixture& f) { CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 4, kMax + 1, 0); }},
    {"border", GL_INVALID_VALUE,
     [](Fixture& f) { CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 4, 4, -1); }},
    {"face not square", GL_INVALID_VALUE,
     [](Fixture& f) { CopyTexImage2D(f.gl(), kFace, 0, GL_RGB, 0, 0, 4, 5, 0); }},
    {"incomplete framebuffer", GL_INVALID_FRAMEBUFFER_OPERATION,
     [](Fixture& f) { incomplete_fbo(f), CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 4, 4, 0); }},
    {"no surface", GL_INVALID_FRAMEBUFFER_OPERATION,
     [](Fixture& f) {
         f.gl().make_current(nullptr, nullptr);
         CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 4, 4, 0);
     }},
    {"sub target", GL_INVALID_ENUM, [](Fixture& f) { CopyTexSubImage2D(f.gl(), 0, 0, 0, 0, 0, 0, 0, 0); }},
    {"sub level", GL_INVALID_VALUE,
     [](Fixture& f) { rgba16(f), CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 14, 0, 0, 0, 0, 0, 0); }},
    {"sub offset", GL_INVALID_VALUE,
     [](Fixture& f) { rgba16(f), CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, -1, 0, 0, 0, 0, 0); }},
    {"sub rectangle", GL_INVALID_VALUE,
     [](Fixture& f) { rgba16(f), CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 8, 4, 0, 0, 10, 10); }},
    {"sub size", GL_INVALID_VALUE,
     [](Fixture& f) { rgba16(f), CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 0, 0, 0, -1); }},
    {"sub of nothing defined", GL_INVALID_OPERATION,
     [](Fixture& f) { f.texture(), CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 0, 0, 1, 1); }},
    {"sub of a compressed image", GL_INVALID_OPERATION,
     [](Fixture& f) { etc16(f), CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4); }},
    {"sub of a depth image", GL_INVALID_OPERATION,
     [](Fixture& f) {
         f.texture();
         f.image(0, 4, 4, nullptr, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT);
         CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
     }},
    {"sub from an incomplete framebuffer", GL_INVALID_FRAMEBUFFER_OPERATION,
     [](Fixture& f) {
         rgba16(f), incomplete_fbo(f), CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 0, 0, 0, 0);
     }},
};

const ErrorRow kMipmapRows[] = {
    {"target", GL_INVALID_ENUM, [](Fixture& f) { GenerateMipmap(f.gl(), 0); }},
    {"external", GL_INVALID_ENUM, [](Fixture& f) { GenerateMipmap(f.gl(), GL_TEXTURE_EXTERNAL_OES); }},
    {"face", GL_INVALID_ENUM, [](Fixture& f) { GenerateMipmap(f.gl(), kFace); }},
    {"compressed", GL_INVALID_OPERATION, [](Fixture& f) { etc16(f), GenerateMipmap(f.gl(), GL_TEXTURE_2D); }},
    {"compressed and empty", GL_INVALID_OPERATION,
     [](Fixture& f) {
         etc(f, GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 0, 0, 0, 0), GenerateMipmap(f.gl(), GL_TEXTURE_2D);
     }},
    {"depth", GL_INVALID_OPERATION,
     [](Fixture& f) {
         f.image(0, 4, 4, nullptr, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
         GenerateMipmap(f.gl(), GL_TEXTURE_2D);
     }},
    {"cube not complete", GL_INVALID_OPERATION,
     [](Fixture& f) {
         f.texture(GL_TEXTURE_CUBE_MAP);
         for (GLenum i = 0; i < 6; ++i)
             f.image(0, i == 5 ? 8 : 4, i == 5 ? 8 : 4, nullptr, GL_RGB, GL_UNSIGNED_BYTE,
                     GL_TEXTURE_CUBE_MAP_POSITIVE_X + i);
         GenerateMipmap(f.gl(), GL_TEXTURE_CUBE_MAP);
     }},
    {"no level 0", GL_NO_ERROR, [](Fixture& f) { f.texture(), GenerateMipmap(f.gl(), GL_TEXTURE_2D); }},
    {"not a power of two", GL_NO_ERROR,
     [](Fixture& f) { f.image(0, 5, 7), GenerateMipmap(f.gl(), GL_TEXTURE_2D); }},
};

void param(Fixture& f, GLenum target, GLenum pname, GLint v) {
    TexParameteri(f.gl(), target, pname, v);
}

const ErrorRow kParamRows[] = {
    {"target", GL_INVALID_ENUM, [](Fixture& f) { param(f, 0, GL_TEXTURE_MIN_FILTER, GL_LINEAR); }},
    {"face target", GL_INVALID_ENUM, [](Fixture& f) { param(f, kFace, GL_TEXTURE_MIN_FILTER, GL_LINEAR); }},
    {"pname", GL_INVALID_ENUM, [](Fixture& f) { param(f, GL_TEXTURE_2D, 0, GL_LINEAR); }},
    {"pname of ES 3.0", GL_INVALID_ENUM,
     [](Fixture& f) { param(f, GL_TEXTURE_2D, GL_TEXTURE_WRAP_R, GL_REPEAT); }},
    {"mag filter", GL_INVALID_ENUM,
     [](Fixture& f) { param(f, GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR_MIPMAP_LINEAR); }},
    {"min filter", GL_INVALID_ENUM,
     [](Fixture& f) { param(f, GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_REPEAT); }},
    {"wrap", GL_INVALID_ENUM, [](Fixture& f) { param(f, GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_NEAREST); }},
    {"float of no enum", GL_INVALID_ENUM,
     [](Fixture& f) { TexParameterf(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, 1e30f); }},
    {"NaN", GL_INVALID_ENUM,
     [](Fixture& f) { TexParameterf(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, __builtin_nanf("")); }},
    {"external min filter", GL_INVALID_ENUM,
     [](Fixture& f) { param(f, GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR); }},
    {"external wrap", GL_INVALID_ENUM,
     [](Fixture& f) { param(f, GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_WRAP_S, GL_REPEAT); }},
    {"external nearest", GL_NO_ERROR,
     [](Fixture& f) { param(f, GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MIN_FILTER, GL_NEAREST); }},
    {"anisotropy below 1", GL_INVALID_VALUE,
     [](Fixture& f) { TexParameterf(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 0.5f); }},
    {"anisotropy NaN", GL_INVALID_VALUE,
     [](Fixture& f) {
         TexParameterf(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, __builtin_nanf(""));
     }},
    {"iv", GL_INVALID_ENUM,
     [](Fixture& f) {
         const GLint v = GL_REPEAT;
         TexParameteriv(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, &v);
     }},
    {"fv", GL_INVALID_ENUM,
     [](Fixture& f) {
         const GLfloat v = GL_REPEAT;
         TexParameterfv(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, &v);
     }},
    {"get target", GL_INVALID_ENUM,
     [](Fixture& f) {
         GLint v;
         GetTexParameteriv(f.gl(), 0, GL_TEXTURE_MAG_FILTER, &v);
     }},
    {"get pname", GL_INVALID_ENUM,
     [](Fixture& f) {
         GLfloat v;
         GetTexParameterfv(f.gl(), GL_TEXTURE_2D, 0, &v);
     }},
};

const ErrorRow kStoreRows[] = {
    {"pname", GL_INVALID_ENUM, [](Fixture& f) { PixelStorei(f.gl(), 0, 1); }},
    {"pack row length (ES 3.0)", GL_INVALID_ENUM,
     [](Fixture& f) { PixelStorei(f.gl(), GL_PACK_ROW_LENGTH, 1); }},
    {"alignment 0", GL_INVALID_VALUE, [](Fixture& f) { PixelStorei(f.gl(), GL_UNPACK_ALIGNMENT, 0); }},
    {"alignment 3", GL_INVALID_VALUE, [](Fixture& f) { PixelStorei(f.gl(), GL_PACK_ALIGNMENT, 3); }},
    {"alignment 16", GL_INVALID_VALUE, [](Fixture& f) { PixelStorei(f.gl(), GL_PACK_ALIGNMENT, 16); }},
    {"row length", GL_INVALID_VALUE, [](Fixture& f) { PixelStorei(f.gl(), GL_UNPACK_ROW_LENGTH_EXT, -1); }},
    {"skip rows", GL_INVALID_VALUE, [](Fixture& f) { PixelStorei(f.gl(), GL_UNPACK_SKIP_ROWS_EXT, -1); }},
    {"skip pixels", GL_INVALID_VALUE, [](Fixture& f) { PixelStorei(f.gl(), GL_UNPACK_SKIP_PIXELS_EXT, -1); }},
    {"alignment 8", GL_NO_ERROR, [](Fixture& f) { PixelStorei(f.gl(), GL_PACK_ALIGNMENT, 8); }},
};

}  // namespace

TEST_CASE("texture objects: errors") {
    check_errors(kObjectRows);
}
TEST_CASE("TexImage2D: errors") {
    check_errors(kImageRows);
}
TEST_CASE("TexSubImage2D: errors") {
    check_errors(kSubRows);
}
TEST_CASE("CompressedTex(Sub)Image2D: errors") {
    check_errors(kCompressedRows);
}
TEST_CASE("CopyTex(Sub)Image2D: errors") {
    check_errors(kCopyRows);
}
TEST_CASE("GenerateMipmap: errors") {
    check_errors(kMipmapRows);
}
TEST_CASE("TexParameter: errors") {
    check_errors(kParamRows);
}
TEST_CASE("PixelStorei: errors") {
    check_errors(kStoreRows);
}

TEST_CASE("CopyTexImage2D accepts only components that the framebuffer has") {
    struct Row {
        GLenum internal_format;
        bool from_rgb, from_rgba;
    };
    const Row rows[] = {
        {GL_ALPHA, false, true}, {GL_LUMINANCE, true, true}, {GL_LUMINANCE_ALPHA, false, true},
        {GL_RGB, true, true},    {GL_RGBA, false, true},
    };
    for (const Row& r : rows) {
        CAPTURE(r.internal_format);
        for (bool alpha : {false, true}) {
            Fixture f(alpha ? pipe::Format::B8G8R8A8_UNORM : pipe::Format::B8G8R8X8_UNORM);
            const bool allowed = alpha ? r.from_rgba : r.from_rgb;
            f.texture();
            CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, r.internal_format, 0, 0, 4, 4, 0);
            CHECK(f.error() == GLenum(allowed ? GL_NO_ERROR : GL_INVALID_OPERATION));
            TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GLint(r.internal_format), 4, 4, 0, r.internal_format,
                       GL_UNSIGNED_BYTE, nullptr);
            CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
            CHECK(f.error() == GLenum(allowed ? GL_NO_ERROR : GL_INVALID_OPERATION));
        }
    }
}

TEST_CASE("texture parameters keep their values") {
    Fixture f;
    GLint i = 0;
    GLfloat v = 0;
    f.texture();
    GetTexParameteriv(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, &i);
    CHECK(i == GL_NEAREST_MIPMAP_LINEAR);
    GetTexParameterfv(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, &v);
    CHECK(v == float(GL_LINEAR));
    TexParameterf(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, float(GL_MIRRORED_REPEAT));
    GetTexParameteriv(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, &i);
    CHECK(i == GL_MIRRORED_REPEAT);
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 8);
    GetTexParameterfv(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, &v);
    CHECK(v == 8);
    f.texture(GL_TEXTURE_EXTERNAL_OES);
    GetTexParameteriv(f.gl(), GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MIN_FILTER, &i);
    CHECK(i == GL_LINEAR);
    GetTexParameteriv(f.gl(), GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_WRAP_T, &i);
    CHECK(i == GL_CLAMP_TO_EDGE);
    GetTexParameteriv(f.gl(), GL_TEXTURE_EXTERNAL_OES, GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES, &i);
    CHECK(i == 1);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
}

TEST_CASE("texture names") {
    Fixture f;
    GLuint n[2] = {};
    GenTextures(f.gl(), 2, n);
    CHECK(n[0] != 0);
    CHECK(n[0] != n[1]);
    CHECK(!IsTexture(f.gl(), n[0]));  // not before the first bind
    BindTexture(f.gl(), GL_TEXTURE_2D, n[0]);
    CHECK(IsTexture(f.gl(), n[0]));
    CHECK(!IsTexture(f.gl(), 0));
    ActiveTexture(f.gl(), GL_TEXTURE3);
    BindTexture(f.gl(), GL_TEXTURE_2D, n[0]);
    DeleteTextures(f.gl(), 1, n);
    CHECK(!IsTexture(f.gl(), n[0]));
    CHECK(f.gl().textures[0][0] == f.gl().default_textures[0]);
    CHECK(f.gl().textures[3][0] == f.gl().default_textures[0]);
}
