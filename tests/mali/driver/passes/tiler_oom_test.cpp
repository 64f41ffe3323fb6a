// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Passes that need many times the heap's memory. The framebuffers do not load their content: tiles that no
// triangle touches are not written. All triangles cover complete tiles.
#include "drivers/mali/submission/tiler_oom.h"

#include <bit>
#include <cstring>

#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/submission/queues.h"
#include "tests/mali/driver/device_fixture.h"
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;
using hw::IdvsRegisters;
using sim::testing::Vertex;

namespace {

constexpr unsigned kWidth = 64, kHeight = 64;

/// Descriptors and shaders in GPU memory.
struct Scene {
    pipe::Ref<Device> device = open_device("sim:mali-g610");
    pipe::Ref<Bo> data = device->create_bo(8 << 20, 0), code = device->create_bo(65536, bo_flag::kExecutable);
    uint32_t data_B = 0, code_B = 0;

    uint64_t room(uint32_t size_B) {
        const uint32_t at = data_B;
        data_B = (data_B + size_B + 255) & ~255u;
        REQUIRE(data_B <= data->size_B);
        return data->va + at;
    }
    uint8_t* at(uint64_t va) { return data->cpu + (va - data->va); }
    template <class T>
    void put(uint64_t va, const T& s) {
        uint32_t words[T::kSize_dw];
        hw::pack(s, words);
        memcpy(at(va), words, sizeof words);
    }
    template <class T>
    uint64_t place(const T& s) {
        const uint64_t va = room(T::kSize_B);
        put(va, s);
        return va;
    }
    uint64_t program(const char* text, hw::ShaderStage stage, uint32_t preload) {
        std::vector<uint64_t> words;
        mali::isa::Error error;
        REQUIRE(mali::isa::assemble(text, &words, &error));
        memcpy(code->cpu + code_B, words.data(), words.size() * 8);
        hw::ShaderProgram p;
        p.stage = stage;
        p.preload = preload;
        p.binary = code->va + code_B;
        code_B = (code_B + uint32_t(words.size() * 8) + 127) & ~127u;
        return place(p);
    }
};

struct Pass {
    uint64_t target, tiler, oom, whole, last;
    std::array<uint64_t, 32> registers{};  // pairs
    uint32_t vertices;
};

uint64_t framebuffer(Scene& s, uint64_t tiler, uint64_t target, bool fresh) {
    hw::FramebufferParameters p;
    p.width = kWidth;
    p.height = kHeight;
    p.bound_max_x = kWidth - 1;
    p.bound_max_y = kHeight - 1;
    p.effective_tile_size = 256;
    p.render_target_count = 1;
    p.z_internal_format = hw::ZInternalFormat::D24;
    p.z_clear = 1;
    p.tiler = tiler;
    const uint64_t va = s.room(hw::Framebuffer::kSize_B + hw::RenderTarget::kSize_B);
    s.put(va, hw::Framebuffer{.parameters = p});
    hw::RenderTarget t;
    t.internal_format = hw::ColorBufferInternalFormat::R8G8B8A8;
    t.write_enable = true;
    t.writeback_format = hw::ColorFormat::R8G8B8A8;
    t.writeback_block_format = hw::BlockFormat::LINEAR;
    t.swizzle = hw::kIdentitySwizzle;
    t.clean_pixel_write_enable = fresh;
    t.rgb_base = target;
    t.rgb_row_stride = kWidth * 4;
    s.put(va + hw::Framebuffer::kSize_B, t);
    hw::FramebufferPointer pointer;
    pointer.pointer = va;
    pointer.render_target_count = 1;
    uint32_t words[2];
    hw::pack(pointer, words);
    return words[0] | uint64_t{words[1]} << 32;
}

constexpr uint64_t kScissor = uint64_t{kWidth - 1} << 32 | uint64_t{kHeight - 1} << 48;

/// One triangle over the whole target, then `count` over the right half, each with another colour.
Pass make_pass(Scene& s, const Queues& q, unsigned count, uint64_t number) {
    Pass pass;
    pass.target = s.room(kWidth * kHeight * 4);
    memset(s.at(pass.target), 0x55, kWidth * kHeight * 4);
    pass.tiler = s.place(hw::TilerContext{.hierarchy_mask = 1,
                                          .fb_width = kWidth,
                                          .fb_height = kHeight,
                                          .heap = q.tiler_heap_va(),
                                          .geometry_buffer_size = q.geometry_buffer_B(),
                                          .geometry_buffer = q.geometry_buffer_va()});
    pass.whole = framebuffer(s, pass.tiler, pass.target, true);
    pass.last = framebuffer(s, pass.tiler, pass.target, false);
    OomContext oom;
    oom.first_framebuffer = pass.whole;
    oom.middle_framebuffer = pass.last;
    memcpy(oom.scissor, &kScissor, 8);
    oom.tiler_context = pass.tiler;
    oom.draw_after(q.sequence_va(QueueKind::Fragment), number);
    pass.oom = s.room(sizeof oom);
    memcpy(s.at(pass.oom), &oom, sizeof oom);

    std::vector<Vertex> v;
    for (unsigned i = 0; i <= count; i++) {
        const float x = i == 0 ? 0.0f : 32.0f, g = float(i % 251) / 255.0f;
        for (const auto& [px, py] : {std::pair{x, -200.0f}, {x, 264.0f}, {x + 400.0f, 32.0f}})
            v.push_back({{px, py, 0.5f, 1.0f}, {1.0f, g, float(number + 1) / 255.0f, 1.0f}});
    }
    pass.vertices = uint32_t(v.size());
    const uint32_t size_B = uint32_t(v.size() * sizeof(Vertex));
    const uint64_t vertices = s.room(size_B);
    memcpy(s.at(vertices), v.data(), size_B);
    const uint64_t tables = s.room(5 * 16), attributes = s.room(64);
    hw::Attribute a;
    a.format = hw::format_row(pipe::Format::R32G32B32A32_FLOAT)->pixel_format;
    a.table = 2;
    a.stride = sizeof(Vertex);
    s.put(attributes, a);
    a.offset = 16;
    s.put(attributes + 32, a);
    s.put(tables + 16, hw::Resource{.address = attributes, .size = 64});
    s.put(tables + 32,
          hw::Resource{.address = s.place(hw::Buffer{.size = size_B, .address = vertices}), .size = 32});
    for (const unsigned i : {0, 3, 4})
        s.put(tables + 16 * i, hw::Resource{});

    auto& r = pass.registers;
    const auto set = [&](unsigned reg, uint64_t value) { r[reg / 2] = value; };
    const auto set_half = [&](unsigned reg, uint32_t value) {
        r[reg / 2] |= uint64_t{value} << (reg % 2 * 32);
    };
    constexpr uint32_t kPreload = 1u << 11 | 1u << 12 | 1u << 13;
    set(IdvsRegisters::vertex_srt, tables | 5);
    set(IdvsRegisters::fragment_srt, tables | 5);
    set(IdvsRegisters::position_spd,
        s.program(sim::testing::kPositionShader, hw::ShaderStage::Vertex, kPreload));
    set(IdvsRegisters::varying_spd,
        s.program(sim::testing::kVaryingShader, hw::ShaderStage::Vertex, kPreload));
    set(IdvsRegisters::fragment_spd,
        s.program(sim::testing::kColorShader, hw::ShaderStage::Fragment, 1u << 10 | kPreload));
    set_half(IdvsRegisters::varying_size, 16);
    set_half(IdvsRegisters::index_count, pass.vertices);
    set_half(IdvsRegisters::instance_count, 1);
    set_half(IdvsRegisters::high_depth_clamp, std::bit_cast<uint32_t>(1.0f));
    set(IdvsRegisters::scissor, kScissor);
    set(IdvsRegisters::tiler_context, pass.tiler);
    set(IdvsRegisters::depth_stencil, s.place(hw::DepthStencil{.depth_function = hw::CompareFunc::Always}));
    hw::Blend blend;
    blend.equation.color_mask = 15;
    blend.internal.mode = hw::BlendMode::Opaque;
    blend.internal.num_comps = 4;
    blend.internal.conversion.memory_format =
        hw::blend_memory_format(hw::ColorBufferInternalFormat::R8G8B8A8, false, false);
    blend.internal.conversion.register_format = hw::RegisterFileFormat::F32;
    set(IdvsRegisters::blend, s.place(blend) | 1);
    uint32_t word;
    hw::PrimitiveFlags flags;
    flags.draw_mode = hw::DrawMode::Triangles;
    flags.secondary_shader = true;
    hw::pack(flags, &word);
    set_half(IdvsRegisters::primitive_flags, word);
    hw::pack(hw::DcdFlags0{}, &word);
    set_half(IdvsRegisters::dcd_flags_0, word);
    return pass;
}

void tile(CsBuilder& b, const Pass& pass) {
    TilerOomHandler::enter(b, pass.oom);
    b.emit(hw::CsHeapOperation{.operation = hw::CsHeapEvent::VertexTilerStarted});
    for (unsigned r = 0; r < 64; r += 2)
        b.set64(r, pass.registers[r / 2]);
    b.emit(hw::CsRunIdvs{.malloc_enable = true, .fragment_srt_select = true});
    b.emit(hw::CsFinishTiling{});
    b.wait(1u << kSlotIterators);
    b.emit(hw::CsHeapOperation{.operation = hw::CsHeapEvent::VertexTilerCompleted});
}

void shade(CsBuilder& b, const Pass& pass) {
    TilerOomHandler::choose_framebuffer(b, pass.oom, pass.whole, pass.last);
    b.set64(42, kScissor);
    b.emit(hw::CsRunFragment{});
    b.wait(1u << kSlotIterators);
    b.set64(72, pass.tiler);
    b.load(74, 4, 72, 40);
    b.wait(1u << kSlotLoadStore);
    b.emit(hw::CsFinishFragment{.increment_fragment_completed = true,
                                .last_heap_chunk = 76,
                                .first_heap_chunk = 74,
                                .signal_slot = kSlotDeferred});
    b.wait(1u << kSlotDeferred);
}

void tell(CsBuilder& b, uint64_t va) {
    b.wait(1u << kSlotDeferred | 1u << kSlotLoadStore);
    b.set64(64, va);
    b.set64(66, 1);
    b.emit(hw::CsSyncAdd64{.data = 66, .address = 64});
}

struct Result {
    uint32_t counter[2], left[2], right[2];
    bool good = true;
};

/// Two passes, both tiled before the first is drawn.
Result run(const HeapDesc& heap, unsigned triangles) {
    Scene s;
    s.device->heap = heap;
    auto q = Queues::create(s.device, 1);
    auto handler = TilerOomHandler::create(*s.device);
    REQUIRE(q);
    REQUIRE(handler);
    Pool pool(s.device);
    CsBuilder vertex(pool), fragment(pool);
    const Pass passes[2] = {make_pass(s, *q, triangles, 0), make_pass(s, *q, triangles, 1)};
    vertex.emit(hw::CsReqResource{.tiler = true, .idvs = true});
    vertex.set_slots(kSlotIterators, kSlotLoadStore);
    fragment.emit(hw::CsReqResource{.fragment = true});
    fragment.set_slots(kSlotIterators, kSlotLoadStore);
    for (CsBuilder* b : {&vertex, &fragment}) {
        b->set64(64, q->heap_context_va());
        b->emit(hw::CsHeapSet{.address = 64});
    }
    handler->install(vertex);
    for (unsigned i = 0; i < 2; i++) {
        tile(vertex, passes[i]);
        tell(vertex, q->sequence_va(QueueKind::VertexTiler));
        fragment.set64(64, q->sequence_va(QueueKind::VertexTiler));
        fragment.set64(66, i);
        fragment.emit(hw::CsSyncWait64{.condition = hw::CsCondition::Greater, .data = 66, .address = 64});
        shade(fragment, passes[i]);
        tell(fragment, q->sequence_va(QueueKind::Fragment));
    }
    fragment.set32(64, 0);
    fragment.emit(hw::CsFlushCache2{.l2_flush_mode = hw::CsFlushMode::Clean,
                                    .lsc_flush_mode = hw::CsFlushMode::Clean,
                                    .latest_flush_id = 64});
    const uint64_t point = q->submit({vertex.finish(), fragment.finish(), Stream{}}, {});
    REQUIRE(point);
    REQUIRE(q->timeline()->wait(point, UINT64_MAX) == WaitResult::Done);
    Result result;
    for (unsigned i = 0; i < 2; i++) {
        memcpy(&result.counter[i], s.at(passes[i].oom) + offsetof(OomContext, counter), 4);
        const uint8_t* pixels = s.at(passes[i].target);
        memcpy(&result.left[i], pixels, 4);
        memcpy(&result.right[i], pixels + 32 * 4, 4);
        for (unsigned p = 0; p < kWidth * kHeight; p++)
            result.good &=
                memcmp(pixels + 4 * p, p % kWidth < 32 ? &result.left[i] : &result.right[i], 4) == 0;
    }
    return result;
}

}  // namespace

TEST_CASE("tiler oom: draws that do not fit the heap are drawn in parts") {
    constexpr unsigned kTriangles = 6000;
    const Result large = run({}, kTriangles);
    CHECK(large.good);
    CHECK(large.counter[0] == 0);
    CHECK(large.counter[1] == 0);
    CHECK(large.left[0] == 0xff0100ff);
    CHECK(large.right[1] == (0xff0200ffu | kTriangles % 251 << 8));
    for (const HeapDesc& heap : {HeapDesc{128 << 10, 1, 1}, HeapDesc{128 << 10, 1, 3}}) {
        const Result small = run(heap, kTriangles);
        CHECK(small.good);
        CHECK(small.counter[0] >= 2);
        CHECK(small.counter[1] >= 2);
        for (unsigned i = 0; i < 2; i++) {
            CHECK(small.left[i] == large.left[i]);
            CHECK(small.right[i] == large.right[i]);
        }
    }
}
