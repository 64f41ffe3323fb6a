// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shared by the tests of terrazzo.h: GL through terrazzo_get_proc_address, an allocator that counts, a log
// that keeps messages.
#pragma once

#include <GLES2/gl2.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "terrazzo.h"

namespace embed_test {

struct Gl {
    PFNGLCLEARPROC Clear;
    PFNGLCLEARCOLORPROC ClearColor;
    PFNGLGETERRORPROC GetError;
    PFNGLGETINTEGERVPROC GetIntegerv;
    PFNGLGETSTRINGPROC GetString;
    PFNGLENABLEPROC Enable;
    PFNGLSCISSORPROC Scissor;
    PFNGLCREATESHADERPROC CreateShader;
    PFNGLSHADERSOURCEPROC ShaderSource;
    PFNGLCOMPILESHADERPROC CompileShader;
    PFNGLCREATEPROGRAMPROC CreateProgram;
    PFNGLATTACHSHADERPROC AttachShader;
    PFNGLLINKPROGRAMPROC LinkProgram;
    PFNGLUSEPROGRAMPROC UseProgram;
    PFNGLVERTEXATTRIBPOINTERPROC VertexAttribPointer;
    PFNGLENABLEVERTEXATTRIBARRAYPROC EnableVertexAttribArray;
    PFNGLDRAWARRAYSPROC DrawArrays;
    PFNGLGENTEXTURESPROC GenTextures;
    PFNGLBINDTEXTUREPROC BindTexture;
    PFNGLTEXIMAGE2DPROC TexImage2D;
    PFNGLISTEXTUREPROC IsTexture;
    PFNGLGENBUFFERSPROC GenBuffers;
    PFNGLBINDBUFFERPROC BindBuffer;
    PFNGLBUFFERDATAPROC BufferData;
    Gl();
};
/// Clears to that colour.
void clear(const Gl& gl, float r, float g, float b, float a);
/// Draws a triangle over the whole target, coloured by position. False if the program did not link.
[[nodiscard]] bool draw_triangle(const Gl& gl);

/// Counts allocated memory; can fail on demand.
struct CountingAllocator {
    std::atomic<int64_t> bytes{0}, blocks{0}, calls{0}, fail_at{-1}, fail_from{-1};
    terrazzo_allocator get();
};

struct Messages {
    std::mutex mutex;
    std::vector<std::string> lines;
    static void write(void* user, terrazzo_severity, const char* message);
    /// True if the last message contains the text.
    [[nodiscard]] bool last_has(const char* text);
};

struct Frame {
    uint32_t width, height;
    size_t stride_B;
    std::vector<uint8_t> bytes;
    Frame(uint32_t w, uint32_t h, size_t stride = 0)
        : width(w), height(h), stride_B(stride ? stride : w * 4), bytes(stride_B * h, 0xcd) {}
    [[nodiscard]] terrazzo_target target(terrazzo_format f = TERRAZZO_RGBA8,
                                         terrazzo_origin o = TERRAZZO_TOP_DOWN) {
        return {bytes.data(), stride_B, width, height, f, o};
    }
    /// The four bytes at column x of row y in memory, the first one in the highest bits.
    [[nodiscard]] uint32_t at(uint32_t x, uint32_t y) const {
        const uint8_t* p = bytes.data() + y * stride_B + x * 4;
        return uint32_t(p[0]) << 24 | uint32_t(p[1]) << 16 | uint32_t(p[2]) << 8 | p[3];
    }
};

}  // namespace embed_test
