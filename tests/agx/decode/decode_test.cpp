// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control streams and what they point to, as text; damaged ones are reported, and end.
#include "drivers/agx/decode/decode.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "drivers/agx/hw/records.h"
#include "drivers/agx/isa/isa.h"

using namespace terrazzo;
using namespace terrazzo::agx;
using namespace terrazzo::agx::hw;

namespace {

constexpr uint64_t kBase = 0x1100000000;  // of 32-bit addresses of programs
constexpr uint64_t kStream = 0x1500001000, kRecord = 0x1500002000, kTable = 0x1500003000;

/// Memory to which blocks are appended.
class Builder {
  public:
    explicit Builder(uint64_t va) : at(va) {}
    template <class T>
    void struct_of(const T& value) {
        uint32_t words[T::kSize_dw];
        pack(value, words);
        append(words, T::kSize_B);
    }
    template <class T>
    void record(const T& value) {
        uint32_t words[T::kMost_dw];
        append(words, pack(value, words) * 4);
    }
    void append(const void* bytes, size_t size_B) {
        memory->put(at, {static_cast<const uint8_t*>(bytes), size_B});
        at += size_B;
    }

    capture::Ranges* memory = nullptr;
    uint64_t at;
};

struct Text {
    capture::Ranges memory;
    fields::StringSink sink;
    agx::decode::Options options{.usc_base = kBase};
    bool followed = false;

    Builder at(uint64_t va) {
        Builder builder(va);
        builder.memory = &memory;
        return builder;
    }
    void vdm() { followed = agx::decode::print_vdm(memory, kStream, sink, options); }
    void cdm() { followed = agx::decode::print_cdm(memory, kStream, sink, options); }
    bool has(const char* text) const { return sink.text.find(text) != std::string::npos; }
};

}  // namespace

TEST_CASE("agx/decode: a draw, its state and its programs") {
    Text t;
    agx::decode::Statistics counts;
    t.options.statistics = &counts;
    // A jump crosses the first stop.
    const char* const texts[2] = {"jmp_exec_any pc+8\nstop\nstop\n", "mov_imm32 r0, 7\nret r1\n"};
    for (const uint32_t address : {0x1000u, 0x2000u, 0x2100u}) {
        std::vector<agx::isa::Unit> units;
        agx::isa::Error error;
        REQUIRE_MESSAGE(agx::isa::assemble(texts[address != 0x1000], &units, &error), error.reason);
        t.at(kBase + address).append(units.data(), units.size() * sizeof units[0]);
    }

    PppState state;
    state.header = {
        .front_face = true, .viewport = true, .viewport_count = 2, .cull = true, .fragment_shader = true};
    state.front_face = {.stencil_reference = 7, .line_width = 16, .depth_func = ZsFunc::Lequal};
    state.viewport[1].scale_y = -32;
    state.cull.cull_back = true;
    state.fragment_shader = {
        .counts = {.uniforms = 128, .cf_bindings = 1}, .pipeline = {.address = 0x400}, .cf_bindings = 0x800};
    Builder record = t.at(kRecord);
    record.record(state);
    const unsigned record_dw = size_dw(state.header);
    CHECK(record_dw == 1 + 1 + 1 + 2 * 6 + 1 + 4);

    Builder bindings = t.at(kBase + 0x800);
    bindings.struct_of(CfHeader{.slots_32 = 5, .registers = 4});
    bindings.struct_of(CfBinding{.components = 3, .shade_model = ShadeModel::Perspective, .base_slot = 2});

    Builder fragment = t.at(kBase + 0x400);
    fragment.struct_of(UscTexture{.start = 2, .count = 1, .buffer = kTable});
    fragment.struct_of(UscSampler{.start = 1, .count = 1, .buffer = kTable + 0x100});
    fragment.struct_of(UscShader{.loads_varyings = true, .code = 0x1000});
    fragment.struct_of(UscRegisters{.count = 32});
    fragment.struct_of(UscNoPreshader{});
    Builder table = t.at(kTable);
    table.struct_of(Texture{.dimension = TextureDimension::N2d,
                            .layout = Layout::Twiddled,
                            .channels = Channels::R8G8B8A8,
                            .width = 33,
                            .height = 17,
                            .address = 0x1600000000});
    Builder sampler = t.at(kTable + 0x100);
    sampler.struct_of(Sampler{.minimum_lod = 1.5f, .magnify = Filter::Linear});

    Builder vertex = t.at(kBase + 0x500);
    vertex.struct_of(UscUniform{.start = 8, .size = 3, .buffer = kTable + 0x200});
    vertex.struct_of(UscUniformHigh{.start = 0, .size = 1, .buffer = kTable + 0x200});
    vertex.struct_of(UscShader{.code = 0x2000});
    vertex.struct_of(UscPreshader{.code = 0x2100});
    const uint16_t uniforms[3] = {0, 0x3f80, 5};
    Builder values = t.at(kTable + 0x200);
    values.append(uniforms, sizeof uniforms);

    // After the barrier, blocks begin at 4 modulo 8.
    Builder stream = t.at(kStream);
    stream.struct_of(VdmBarrier{});
    stream.struct_of(VdmPppState{
        .pointer_high = uint32_t(kRecord >> 32), .size_dw = record_dw, .pointer_low = uint32_t(kRecord)});
    VdmState vdm;
    vdm.header = {.vertex_counts = true, .vertex_pipeline = true};
    vdm.vertex_pipeline.address = 0x500;
    stream.record(vdm);  // 12 bytes
    stream.at += 4;
    IndexList draw;
    draw.header = {.primitive = Primitive::TriangleStrip, .count = true, .instances = true, .start = true};
    draw.count.count = 4;
    draw.instances.count = 1;
    draw.start.start = 6;
    stream.record(draw);
    stream.struct_of(VdmStreamTerminate{});
    t.vdm();

    CHECK(t.followed);
    CHECK(counts.draws == 1);
    CHECK(counts.blocks == 5);
    REQUIRE(counts.draw_B.size() == 1);
    CHECK(counts.draw_B[0] == 4 + 8 + record_dw * 4 + 16 + 16);
    for (const char* line : {"PPP state @0x1500002000: 20 words\n",
                             "    stencil_reference: 7\n",
                             "    depth_func: Lequal\n",
                             "  viewport[1]:\n",
                             "    scale_y: -32\n",
                             "    cull_back: true\n",
                             "Fragment program @0x1100000400:\n",
                             "ts2 @0x1500003000:\n",
                             "width: 33\n",
                             "height: 17\n",
                             "ss1 @0x1500003100:\n",
                             "minimum_lod: 1.5\n",
                             "Code @0x1100001000:\n          0000: jmp_exec_any pc+8\n          0006: stop\n "
                             "         0008: stop\n",
                             "count: 32\n",
                             "No preshader @0x",
                             "Binding 0 @0x1100000804:\n",
                             "components: 3\n",
                             "shade_model: Perspective\n",
                             "Vertex program @0x1100000500:\n",
                             "u8: 3f800000 (1)\n",
                             "u10: 00000005",
                             "u256: 00000000 (0)\n",
                             "Code @0x1100002000:\n        0000: mov_imm32 r0, 0x7\n        0006: ret r1\n",
                             "Code @0x1100002100:\n",
                             "primitive: TriangleStrip\n",
                             "count: 4\n",
                             "start: 6\n"})
        CHECK_MESSAGE(t.has(line), "missing: ", std::string(line), " in\n", t.sink.text);
    CHECK_MESSAGE(!t.has("!"), t.sink.text);
}

TEST_CASE("agx/decode: links, returns, indirect draws") {
    Text t;
    constexpr uint64_t kSecond = kStream + 0x800;
    Builder stream = t.at(kStream);
    stream.struct_of(VdmStreamLink{
        .target_high = uint32_t(kSecond >> 32), .with_return = true, .target_low = uint32_t(kSecond)});
    stream.struct_of(VdmStreamTerminate{});
    Builder second = t.at(kSecond);
    IndexList draw;
    draw.header = {.primitive = Primitive::Points, .indirect = true};
    draw.indirect = {.high = uint32_t(kTable >> 32), .low = uint32_t(kTable)};
    second.record(draw);
    second.struct_of(VdmBarrier{.returns = true});
    const uint32_t words[4] = {3, 2, 1, 0};
    Builder indirect = t.at(kTable);
    indirect.append(words, sizeof words);
    t.vdm();
    CHECK(t.followed);
    CHECK_MESSAGE(t.has("  Indirect draw @0x1500003000: count 3, instances 2, 1 0 0\n"), t.sink.text);
    CHECK(t.sink.text.find("End @0x1500001008") != std::string::npos);
}

TEST_CASE("agx/decode: launches of the three modes") {
    Text t;
    Builder stream = t.at(kStream);
    stream.struct_of(CdmLaunch{.pipeline = {.address = 0x400}});
    stream.struct_of(CdmSize{.x = 64, .y = 2, .z = 1});
    stream.struct_of(CdmSize{.x = 32, .y = 1, .z = 1});
    stream.struct_of(CdmLaunch{.mode = CdmMode::IndirectGlobal});
    stream.struct_of(CdmIndirect{.address_high = 0x15, .address_low = 0x3000});
    stream.struct_of(CdmSize{.x = 8, .y = 8, .z = 1});
    stream.struct_of(CdmLaunch{.mode = CdmMode::IndirectLocal});
    stream.struct_of(CdmIndirect{.address_high = 0x15, .address_low = 0x4000});
    stream.struct_of(CdmBarrier{.usc_cache_invalidate = true});
    stream.struct_of(CdmStreamTerminate{});
    Builder program = t.at(kBase + 0x400);
    program.struct_of(UscShared{.uses_shared_memory = true, .size = 1024});
    program.struct_of(UscNoPreshader{});
    agx::decode::Statistics counts;
    t.options.statistics = &counts;
    t.cdm();
    CHECK(t.followed);
    CHECK(counts.dispatches == 3);
    for (const char* line : {"Threads @", "x: 64\n", "address_low: 0x3000\n", "address_low: 0x4000\n",
                             "size: 1024\n", "usc_cache_invalidate: true\n"})
        CHECK_MESSAGE(t.has(line), line, t.sink.text);
    CHECK_FALSE(t.has("!"));
}

TEST_CASE("agx/decode: what cannot be followed is said") {
    SUBCASE("an empty memory") {
        Text t;
        t.vdm();
        CHECK_FALSE(t.followed);
        CHECK(t.sink.text == "! the stream leaves mapped memory\n");
    }
    SUBCASE("a stream that links to itself") {
        Text t;
        t.options.max_blocks = 10;
        Builder stream = t.at(kStream);
        stream.struct_of(
            VdmStreamLink{.target_high = uint32_t(kStream >> 32), .target_low = uint32_t(kStream)});
        t.vdm();
        CHECK_FALSE(t.followed);
        CHECK(t.has("! the stream does not end\n"));
    }
    SUBCASE("a return from nowhere, a block of no type") {
        Text t;
        Builder stream = t.at(kStream);
        stream.struct_of(CdmStreamReturn{});
        t.cdm();
        CHECK_FALSE(t.followed);
        CHECK(t.has("! nothing to return to\n"));
        Text other;
        const uint32_t word = 7u << 29;
        Builder unknown = other.at(kStream);
        unknown.append(&word, sizeof word);
        other.cdm();
        CHECK_FALSE(other.followed);
        CHECK(other.sink.text == "! no CDM block has type 7\n");
    }
    SUBCASE("a record that is shorter or longer than its header says") {
        for (const unsigned dw : {2u, 4u}) {
            Text t;
            PppState state;
            state.header = {.front_face = true, .cull = true};
            Builder record = t.at(kRecord);
            record.record(state);
            const uint32_t more = 0;
            record.append(&more, sizeof more);
            Builder stream = t.at(kStream);
            stream.struct_of(VdmPppState{
                .pointer_high = uint32_t(kRecord >> 32), .size_dw = dw, .pointer_low = uint32_t(kRecord)});
            stream.struct_of(VdmStreamTerminate{});
            t.vdm();
            CHECK(t.followed);
            CHECK(t.has(dw == 2 ? "! the record ends before what its header names\n"
                                : "! the header names 3 words of 4\n"));
        }
    }
    SUBCASE("a list with an unknown word, reserved bits") {
        Text t;
        Builder stream = t.at(kStream);
        VdmState state;
        state.header = {.vertex_pipeline = true};
        state.vertex_pipeline.address = 0x400;
        stream.record(state);
        const uint32_t reserved = uint32_t(VdmBlock::StreamTerminate) << 29 | 1;
        const uint32_t end[8] = {reserved};
        stream.append(end, sizeof end);
        const uint8_t word = 0x77;
        Builder list = t.at(kBase + 0x400);
        list.append(&word, 1);
        t.vdm();
        CHECK(t.followed);
        CHECK(t.has("! no USC word begins with 0x77, at 0x1100000400\n"));
        CHECK(t.has("! reserved bits 0x1 of word 0\n"));
    }
}

TEST_CASE("agx/decode: random streams end") {
    std::mt19937 random(7);
    uint64_t blocks = 0, draws = 0, dispatches = 0, states = 0;
    for (unsigned run = 0; run < 2000; ++run) {
        Text t;
        agx::decode::Statistics counts;
        t.options.statistics = &counts;
        t.options.max_blocks = 100;
        t.options.max_lines = 2000;
        // Any bits; few bits; the upper half of addresses in this memory, and the lower one.
        const auto word = [&]() -> uint32_t {
            const uint32_t any = uint32_t(random());
            switch (random() % 8) {
                case 0:
                case 1:
                    return any;
                case 2:
                    return (any & 0xff00) | uint32_t(kStream >> 32);
                case 3:
                case 4:
                    return uint32_t(kStream) + any % 1024;
                case 5:
                    return any & uint32_t(random()) & uint32_t(random());
                default:
                    return any & 0xe01fffff;
            }
        };
        std::vector<uint32_t> words(256);
        for (uint32_t& w : words)
            w = word();
        Builder stream = t.at(kStream);
        stream.append(words.data(), words.size() * 4);
        Builder list = t.at(kBase);
        list.append(words.data(), words.size() * 4);
        t.vdm();
        t.cdm();
        CHECK_FALSE(t.sink.text.empty());
        blocks += counts.blocks, draws += counts.draws, dispatches += counts.dispatches;
        states += t.has("PPP state @0x15");
    }
    // The words reach everything.
    CHECK(blocks > 2000);
    CHECK(draws > 100);
    CHECK(dispatches > 100);
    CHECK(states > 100);
}
