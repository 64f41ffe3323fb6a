// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compute shaders with uniform blocks, storage buffers, shared memory, images and atomics: compiled code on
// the warp executor compared with the IR's meaning of each access (shaders/ir/memory.h, image.h).
#include "shaders/ir/stage_buffers.h"
#include "tests/common/compiler/memory_cases.h"
#include "tests/mali/compiler/harness.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;
using namespace terrazzo::mali::compiler::testing;
using compiled::Buffers;
using compiled::Images;
using compiled::kWords;

namespace {

namespace isa = mali::isa;
namespace sim = mali::sim;

/// Storage buffer n of a kernel is at n times this.
constexpr uint32_t kSlot_B = 0x880;
constexpr uint64_t kShared = Memory::kData + 0x4000, kImages = Memory::kData + 0x8000, kImage_B = 0x2000;

/// The descriptors of memory: a uniform block, a storage buffer, images, and the system values.
class Units : public sim::Units {
  public:
    Units(std::vector<uint32_t> block, std::span<const ir::ImageRange> images)
        : block_(std::move(block)), images_(images.begin(), images.end()), sysvals_(kSysvalCount) {
        sysvals_[unsigned(Sysval::StorageBuffer0) + 2] = kWords * 4;
        for (size_t k = 0; k < images_.size(); k++) {
            uint32_t* const size = &sysvals_[unsigned(Sysval::ImageSize0) + 4 * k];
            size[0] = images_[k].width, size[1] = images_[k].height, size[2] = images_[k].depth;
        }
    }
    const std::vector<uint32_t>& sysvals() const { return sysvals_; }
    void bind(uint32_t slot, uint32_t size_B) {
        sysvals_[unsigned(Sysval::StorageBuffer0) + 3 * slot + 2] = size_B;
    }

    bool load_buffer(sim::Warp&, const sim::MessageIn& m, sim::U32* out, std::string* why) override {
        for (unsigned i = 0; i < kLanes; i++) {
            if (!(m.active >> i & 1)) continue;
            const uint32_t handle = m.low(1)[i];
            const bool storage = handle >> 24 == uint32_t(Table::StorageBuffers);
            const uint64_t first = Memory::kData + uint64_t(handle & 0xffffff) * kSlot_B;
            const uint32_t size = sysvals_[unsigned(Sysval::StorageBuffer0) + 3 * (handle & 0x1f) + 2] / 4;
            const std::vector<uint32_t>* const words = handle == kFirstUniformBlock ? &block_
                                                       : handle == kSystemBlock     ? &sysvals_
                                                                                    : nullptr;
            if (!words && !storage) return *why = "no such buffer", false;
            for (unsigned c = 0; c < m.out_count; c++) {
                const uint64_t at = m.low(0)[i] / 4 + c;
                out[c][i] = 0;
                if (words && at < words->size()) out[c][i] = (*words)[at];
                if (storage && at < size && !m.memory.read(first + at * 4, &out[c][i], 4)) return false;
            }
        }
        return true;
    }
    bool attribute(sim::Warp&, const sim::MessageIn& m, sim::U32* out, std::string* why) override {
        const bool buffer = m.instr.op == isa::Op::kLeaBuffer;
        for (unsigned i = 0; i < kLanes; i++) {
            if (!(m.active >> i & 1)) continue;
            const uint32_t handle = m.low(buffer ? 1 : 2)[i];
            const auto table = buffer ? Table::StorageBuffers : Table::Images;
            if (handle >> 24 != uint32_t(table)) return *why = "another table", false;
            const uint32_t n = handle & 0xffffff;
            uint64_t va = Memory::kData + uint64_t(n) * kSlot_B + m.low(0)[i];
            if (!buffer) va = texel(n, m.low(0)[i], m.low(1)[i]);
            if (m.instr.op == isa::Op::kLdTex) {
                uint32_t v[4] = {};
                if (va && !load(m, n, va, v)) return false;
                for (unsigned c = 0; c < 4; c++)
                    out[c][i] = v[c];
                continue;
            }
            out[0][i] = uint32_t(va);
            out[1][i] = 0;
            if (!buffer) out[2][i] = n;
        }
        return true;
    }
    /// Stores outside an image have the address 0.
    bool store_converted(sim::Warp&, const sim::MessageIn& m, std::string*) override {
        for (unsigned i = 0; i < kLanes; i++) {
            if (!(m.active >> i & 1) || !m.low(0)[i]) continue;
            const ir::ImageRange& image = images_[m.low(1)[i]];
            uint8_t texel[16] = {};
            const uint32_t value[] = {m.in[0][i], m.in[1][i], m.in[2][i], m.in[3][i]};
            access(image.format, ir::Op::StoreImage, texel, value, nullptr);
            if (!m.memory.write(m.low(0)[i], texel, ir::texel_size_B(image.format))) return false;
        }
        return true;
    }
    bool barrier(sim::Warp&, std::string*) override { return true; }

  private:
    /// The meaning of an image with one texel.
    static void access(ir::ImageFormat format, ir::Op op, uint8_t* texel, const uint32_t* value,
                       uint32_t* out) {
        const ir::ImageRange one{.data = texel, .format = format, .width = 1, .height = 1, .depth = 1};
        ir::MemInfo info;
        info.space = ir::Storage::Image;
        const uint32_t zero = 0;
        ir::ImageAccess a;
        a.op = op, a.info = &info, a.slots = &one, a.lanes = 1, a.mask = 1;
        a.coord[0] = a.coord[1] = &zero;
        for (unsigned c = 0; c < 4; c++) {
            if (value) a.value[c] = value + c;
            if (out) a.out[c] = out + c;
        }
        ir::access_image(a);
    }
    uint64_t texel(uint32_t n, uint32_t xy, uint32_t zw) const {
        const ir::ImageRange& image = images_[n];
        // 3D images have the slice in the low half, others the layer in the high one.
        const uint32_t x = xy & 0xffff, y = xy >> 16, z = (zw & 0xffff) + (zw >> 16);
        if (x >= image.width || y >= image.height || z >= image.depth) return 0;
        return kImages + n * kImage_B + z * image.slice_stride_B + y * image.row_stride_B +
               x * ir::texel_size_B(image.format);
    }
    bool load(const sim::MessageIn& m, uint32_t n, uint64_t va, uint32_t* v) const {
        uint8_t texel[16];
        if (!m.memory.read(va, texel, ir::texel_size_B(images_[n].format))) return false;
        access(images_[n].format, ir::Op::LoadImage, texel, nullptr, v);
        return true;
    }
    std::vector<uint32_t> block_;
    std::vector<ir::ImageRange> images_;
    std::vector<uint32_t> sysvals_;
};

/// The error, or "". `move(memory, to)` copies the test's data to memory, or back.
template <class Move>
std::string run(const ir::Shader& shader, Units& units, const Move& move) {
    const Binary b = compile(shader, Part::Compute, kValidated);
    if (!b.error.empty()) return b.error;
    CAPTURE(isa::disassemble(b.code));
    Memory memory(0);
    std::memcpy(memory.code.data(), b.code.data(), b.code.size() * 8);
    move(memory, true);
    std::vector<uint32_t> fau;
    for (const UniformWord& w : b.info.fau)
        fau.push_back(w.kind == UniformWord::Kind::Sysval     ? units.sysvals()[w.value]
                      : w.kind == UniformWord::Kind::Constant ? w.value
                                                              : 0);
    sim::Core core(memory, units);
    sim::Warp warp;
    warp.fau = fau;
    warp.special[unsigned(isa::Special::kWorkgroupLocalPointer)] = kShared;
    for (unsigned i = 0; i < kLanes; i++)
        warp.r[kLocalIdRegister][i] = i;
    warp.defined |= b.info.preload;
    sim::Core::start(warp, Memory::kCode, 0xffff);
    sim::CoreFault fault;
    sim::Outcome outcome = core.run(warp, &fault);
    while (outcome == sim::Outcome::Barrier)
        outcome = core.run(warp, &fault);
    if (outcome != sim::Outcome::Done) return to_string(fault, Memory::kCode);
    move(memory, false);
    return {};
}

void move_words(std::vector<uint32_t>& words, Memory& memory, uint64_t va, bool to) {
    uint8_t* const at = &memory.data[va - Memory::kData];
    if (to)
        std::memcpy(at, words.data(), words.size() * 4);
    else
        std::memcpy(words.data(), at, words.size() * 4);
}

}  // namespace

TEST_CASE("mali compiler: buffers and shared memory have the IR's meaning") {
    compiled::check_buffers([](const ir::Shader& shader, Buffers& buffers) {
        Units units(buffers.block, {});
        return run(shader, units, [&](Memory& memory, bool to) {
            move_words(buffers.storage, memory, Memory::kData, to);
            move_words(buffers.shared, memory, kShared, to);
        });
    });
}

TEST_CASE("mali compiler: constant offsets and descriptors of loads need no instructions") {
    using Op = mali::isa::Op;
    const auto program = compiled::link(
        "#version 300 es\nin vec4 p; flat out highp int by; void main() { by = gl_VertexID; gl_Position = p; "
        "}",
        "#version 300 es\nprecision highp float; precision highp int; uniform Block { vec4 a[3]; int n; };\n"
        "flat in int by; out vec4 c; void main() { c = a[0] + a[1] + a[2] + vec4(n << by); }");
    REQUIRE(program);
    const Binary b = compile(*program->stages[size_t(ir::Stage::Fragment)], Part::Fragment, kValidated);
    REQUIRE(b.error == "");
    CHECK(count(b, Op::kLdBufferI128) == 3);
    CHECK(count(b, Op::kLdBufferI32) == 1);
    // The address after a BLEND.
    CHECK(count(b, Op::kIaddImmI32) == 1);
    CHECK(count(b, Op::kMovI32) == 0);
    // The count of a shift needs no mask.
    CHECK(count(b, Op::kLshiftAndI32) == 0);
    CHECK(count(b, Op::kLshiftOrI32) == 1);
}

TEST_CASE("mali compiler: images of each kind") {
    compiled::check_images([](const ir::Shader& shader, Images& images) {
        Units units({}, images.ranges);
        return run(shader, units, [&](Memory& memory, bool to) {
            for (unsigned k = 0; k < 4; k++)
                move_words(images.texels[k], memory, kImages + k * kImage_B, to);
        });
    });
}

TEST_CASE("mali compiler: a geometry stage's kernel reads and writes records of vertices") {
    shaders::CompileOptions options;
    options.max_version = 320;
    const std::string version = "#version 320 es\nprecision highp float;\n";
    const std::pair<ir::Stage, std::string> texts[] = {
        {ir::Stage::Vertex, "in vec4 p; out vec4 a; void main() { a = p; gl_Position = p; }"},
        {ir::Stage::Geometry,
         "layout(points) in; layout(line_strip, max_vertices = 3) out; in vec4 a[]; out vec4 b; void main() "
         "{ "
         "for (int k = 0; k < 3; k++) { if (a[0].x * float(k) > 1.5) break; gl_Position = "
         "gl_in[0].gl_Position "
         "* float(k + 1); b = a[0].wzyx + float(gl_PrimitiveIDIn); EmitVertex(); } }"},
        {ir::Stage::Fragment, "in vec4 b; out vec4 o; void main() { o = b; }"}};
    std::vector<shaders::CompileResult> compiled;
    std::vector<const shaders::CompiledShader*> stages;
    for (const auto& [stage, text] : texts) {
        options.stage = stage;
        compiled.push_back(shaders::compile(version + text, options));
        REQUIRE_MESSAGE(compiled.back().shader, compiled.back().log);
        stages.push_back(compiled.back().shader.get());
    }
    const auto program = shaders::link(stages, {}).program;
    REQUIRE(program);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Geometry)];
    using namespace ir::stage_buffer;
    struct Records : compiled::ComputeMeaning {
        std::vector<uint32_t> words[ir::kAllStorageBuffers];
        std::vector<ir::MemoryRange> ranges{ir::kAllStorageBuffers};
        std::span<const ir::MemoryRange> slots(ir::Storage) override { return ranges; }
    };
    Records expected, got;
    for (Records* r : {&expected, &got}) {
        std::mt19937 random(3);
        r->words[kInput].resize(kLanes * ir::record_dw(s.info.records.slots_in));
        for (uint32_t& word : r->words[kInput])
            word = std::bit_cast<uint32_t>(float(random() % 64) / 16 - 2);
        // The last invocation's records do not fit.
        r->words[kOutput].assign((kLanes - 1) * 3 * ir::record_dw(s.info.records.slots_out), 9);
        r->words[kParam] = {100, 0};
        r->words[kCount].assign(kLanes, 9);
        for (uint32_t n = 0; n < ir::kAllStorageBuffers; n++) {
            r->ranges[n] = {reinterpret_cast<uint8_t*>(r->words[n].data()), uint32_t(r->words[n].size() * 4)};
            REQUIRE(r->ranges[n].size_B <= kSlot_B);
        }
    }
    const auto code = ir::InterpProgram::create(s, kLanes);
    ir::InterpState state(*code);
    REQUIRE(ir::run(*code, state, expected, 0xffff, 1 << 20) == ir::InterpStatus::Done);
    Units units({}, {});
    for (uint32_t n = 0; n < ir::kAllStorageBuffers; n++)
        units.bind(n, got.ranges[n].size_B);
    CHECK(run(s, units, [&](Memory& memory, bool to) {
              for (uint32_t n = 0; n < ir::kAllStorageBuffers; n++)
                  if (!got.words[n].empty())
                      move_words(got.words[n], memory, Memory::kData + uint64_t(n) * kSlot_B, to);
          }) == "");
    CHECK(got.words[kOutput] == expected.words[kOutput]);
    CHECK(got.words[kCount] == expected.words[kCount]);
}
