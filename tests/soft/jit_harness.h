// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs a shader in the JIT and in the interpreter. The results must be equal to the bit (any NaN equals any
// other).
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "drivers/soft/shader_abi.h"
#include "shaders/ir/builder.h"
#include "shaders/ir/print.h"
#include "shaders/ir/validate.h"
#include "tests/common/messages.h"

namespace terrazzo::soft::test {

inline constexpr uint32_t kVarying0 = uint32_t(ir::VaryingSlot::Varying0);

/// TERRAZZO_TEST_COMPILER=tier1 tests the first tier; otherwise LLVM's code is tested, with `lanes` as for
/// create_jit_compiler. Null if it is not built.
inline std::unique_ptr<ShaderCompiler> create_tested_compiler(unsigned lanes) {
    const char* which = std::getenv("TERRAZZO_TEST_COMPILER");
    return which && std::string_view(which) == "tier1" ? create_tier1_compiler() : create_jit_compiler(lanes);
}

/// Both compilers. Without the tested one the interpreter is compared with itself.
struct Compilers {
    std::unique_ptr<ShaderCompiler> jit, interpreter = create_interpreter_compiler();
    terrazzo::test::Messages messages;
    const pipe::Log log = messages.log();
    explicit Compilers(unsigned lanes = 0) : jit(create_tested_compiler(lanes)) {
        if (!jit) jit = create_interpreter_compiler();
    }
    Compilers(const Compilers&) = delete;
    struct Pair {
        std::unique_ptr<CompiledShader> jit, interpreter;
    };
    Pair compile(const ir::Shader& s) {
        messages.clear();
        Pair p{jit->compile(s, log), interpreter->compile(s, log)};
        // The first tier does not support 64-bit integers.
        if (!p.jit && messages.has("64-bit integers")) p.jit = interpreter->compile(s, log);
        INFO(messages);
        REQUIRE(p.jit);
        REQUIRE(p.interpreter);
        return p;
    }
};

inline bool is_nan_bits(uint32_t w) {
    return (w & 0x7fffffff) > 0x7f800000;
}
/// `floats`: NaNs are equal, whatever their bits.
inline bool same_word(uint32_t a, uint32_t b, bool floats = true) {
    return a == b || (floats && is_nan_bits(a) && is_nan_bits(b));
}

/// An area that is followed by inaccessible memory.
struct GuardedArea {
    explicit GuardedArea(size_t size_B) {
        constexpr size_t kPage_B = 4096;
        const size_t pages_B = (size_B + kPage_B - 1) / kPage_B * kPage_B;
        void* const map = mmap(nullptr, pages_B + kPage_B, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        REQUIRE(map != MAP_FAILED);
        mprotect(static_cast<char*>(map) + pages_B, kPage_B, PROT_NONE);
        start = static_cast<char*>(map) + (pages_B - size_B);
    }
    void* start;  // aligned to its size
};

/// Memory for shaders that tests call directly, one at a time.
template <class Args>
void give_memory(Args* args) {
    static const GuardedArea work(kWorkArea_B), arrays(kPrivateArea_B);
    args->work = work.start;
    args->arrays = arrays.start;
}

/// Eight vertices with four words for each location.
struct VertexRun {
    std::vector<uint32_t> uniforms;
    std::vector<TextureUnit> textures;
    uint32_t attributes[4][kLanes][4] = {};
    uint32_t indices[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
    std::vector<ir::MemoryRange> blocks, buffers;
    Watch* watch = nullptr;  // null: one that is not checked
    uint32_t count = kLanes;
    uint32_t out[(kMaxInputs + 8) * 4][kLanes];

    void run(const CompiledShader& s) {
        std::vector<uint32_t> in(4 * 4 * kInStride);
        unsigned rank = 0;
        for (unsigned location = 0; location < 4; ++location) {
            if (!(s.inputs_read >> location & 1)) continue;
            for (unsigned c = 0; c < 4; ++c)
                for (unsigned i = 0; i < 16; ++i)
                    in[(rank * 4 + c) * kInStride + i] = attributes[location][id(i)][c];
            ++rank;
        }
        uint32_t ids[16];
        for (unsigned i = 0; i < 16; ++i)
            ids[i] = id(i);
        constexpr uint32_t kStride = 16;
        std::vector<float> columns((kMaxInputs + 8) * 4 * kStride);
        VertexArgs a{};
        a.shader = s.self;
        Watch unwatched;
        a.watch = watch ? watch : &unwatched;
        give_memory(&a);
        a.uniforms = uniforms.data();
        a.textures = textures.data();
        a.blocks = blocks.data();
        a.buffers = buffers.data();
        a.in = reinterpret_cast<const float*>(in.data());
        a.ids = ids;
        a.count = count;
        a.instance = 3;
        std::memset(columns.data(), 0xcd, columns.size() * sizeof(float));
        a.out_stride = kStride;
        a.out = columns.data();
        s.vertex(&a);
        for (size_t n = 0; n < std::size(out); ++n)
            std::memcpy(out[n], &columns[n * kStride], sizeof out[n]);
    }

  private:
    [[nodiscard]] uint32_t id(unsigned lane) const { return indices[std::min(lane, count - 1) % kLanes]; }
};

/// Special numbers, which find mistakes, and random ones.
class Numbers {
  public:
    explicit Numbers(uint32_t seed) : random(seed) {}
    std::mt19937 random;
    uint32_t below(uint32_t n) { return uint32_t(random() % n); }
    uint32_t word() {
        static constexpr uint32_t kSpecial[] = {
            0,          1,          2,          3,          31,         32,         33,         0x7fffffff,
            0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x3f800000, 0xbf800000, 0x3f000000, 0x7f800000,
            0xff800000, 0x7fc00000, 0x00000001, 0x007fffff, 0x00800000, 0x4f000000, 0xcf000000, 0x4f800000,
            0x4effffff, 0x3effffff, 0x3f7fffff, 0x3fc00000, 0x40200000, 0x4b000001, 0xc0000000, 0x40490fdb};
        switch (below(4)) {
            case 0:
                return kSpecial[below(std::size(kSpecial))];
            case 1:
                return std::bit_cast<uint32_t>(float(int32_t(random())) / 65536.0f);
            case 2:
                return random() % 64;
            default:
                return uint32_t(random());
        }
    }
};

}  // namespace terrazzo::soft::test
