// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The text of RUN instructions: a hand-written draw and framebuffer.
#include <doctest/doctest.h>

#include "drivers/common/capture/capture.h"
#include "drivers/mali/hw/pixel_format.h"
#include "drivers/mali/isa/isa.h"
#include "tests/mali/decode/stream_builder.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::mali::hw;

namespace {

constexpr uint64_t kStream = 0x10000, kTables = 0x20000, kDescriptors = 0x21000, kPlanes = 0x22000,
                   kSpd = 0x23000, kCode = 0x24000, kFau = 0x25000, kTiler = 0x26000, kHeap = 0x27000,
                   kBlend = 0x28000, kZsd = 0x29000, kTsd = 0x2a000, kFramebuffer = 0x2b000,
                   kBlendCode = 0x2c000;

std::vector<uint64_t> assembled(const char* text) {
    std::vector<uint64_t> words;
    mali::isa::Error error;
    const bool good = mali::isa::assemble(text, &words, &error);
    CAPTURE(std::string(error.reason));
    REQUIRE(good);
    return words;
}

void put_tables(TestMemory& memory) {
    memory.put_descriptor(kTables,
                          Resource{.address = kDescriptors, .contains_descriptors = true, .size = 128});
    memory.put_descriptor(kTables + 16,
                          Resource{.address = 0xdead0000, .contains_descriptors = true, .size = 32});
    memory.put_descriptor(kDescriptors, Sampler{.magnify_nearest = true});
    memory.put_descriptor(kDescriptors + 32,
                          Texture{.dimension = TextureDimension::D2,
                                  .format = pixel_format(PixelFormatCode::RGBA8_UNORM, ComponentOrder::RGBA),
                                  .width = 64,
                                  .height = 32,
                                  .swizzle = kIdentitySwizzle,
                                  .levels = 2,
                                  .surfaces = kPlanes});
    memory.put_descriptor(kDescriptors + 64, Buffer{.size = 256, .address = 0x5000});
    memory.put_words(kDescriptors + 96, std::vector<uint32_t>(8, 0));
    memory.put_descriptor(kPlanes,
                          Plane{.plane_type = PlaneType::Generic, .pointer = 0x77000, .row_stride = 256});
    memory.put_descriptor(kPlanes + 32,
                          Plane{.plane_type = PlaneType::Generic, .pointer = 0x78000, .row_stride = 128});
}

void put_shaders(TestMemory& memory) {
    memory.put_descriptor(kSpd,
                          ShaderProgram{.stage = ShaderStage::Fragment, .preload = 0x8000, .binary = kCode});
    // The branch goes to a position after the first end.
    memory.put_stream(kCode, assembled("BRANCHZ.eq r0, offset:1\nNOP.end\nFADD.f32.end r0, r1, r2\nNOP\n"));
    memory.put_stream(kBlendCode, assembled("NOP.end\n"));
    memory.put_words(kFau, {0x3f800000, 0, 7, 8});
}

std::vector<uint64_t> draw_stream() {
    using R = IdvsRegisters;
    return {pack64(CsMove{.immediate = kTables | 2, .destination = R::vertex_srt}),
            pack64(CsMove{.immediate = kSpd, .destination = R::fragment_spd}),
            pack64(CsMove{.immediate = kFau, .destination = R::fragment_fau}),
            pack64(CsMove32{.immediate = 2 << 24, .destination = R::fragment_fau + 1}),
            pack64(CsMove{.immediate = kTsd, .destination = R::vertex_tsd}),
            pack64(CsMove{.immediate = kTiler, .destination = R::tiler_context}),
            pack64(CsMove{.immediate = kBlend | 1, .destination = R::blend}),
            pack64(CsMove{.immediate = kZsd, .destination = R::depth_stencil}),
            pack64(CsMove32{.immediate = 6, .destination = R::index_count}),
            pack64(CsMove32{.immediate = 0x30000, .destination = R::primitive_flags}),
            pack64(CsMove32{.immediate = 0x40000000, .destination = R::primitive_size}),
            pack64(CsRunIdvs{.flags_override = 8, .malloc_enable = true})};
}

TestMemory draw_memory() {
    TestMemory memory;
    put_tables(memory);
    put_shaders(memory);
    Blend blend;
    blend.internal.mode = BlendMode::Shader;
    blend.internal.pc = uint32_t(kBlendCode);
    memory.put_descriptor(kBlend, blend);
    memory.put_descriptor(
        kTiler, TilerContext{.hierarchy_mask = 0x28, .fb_width = 800, .fb_height = 600, .heap = kHeap});
    memory.put_descriptor(kHeap, TilerHeap{.size = 4096, .base = 0x900000});
    memory.put_descriptor(kZsd,
                          DepthStencil{.depth_write_enable = true, .depth_function = CompareFunc::Less});
    memory.put_descriptor(kTsd, LocalStorage{});
    return memory;
}

}  // namespace

TEST_CASE("mali decode: a draw and all objects that it points to") {
    TestMemory memory = draw_memory();
    const Decoded d = decoded(memory, kStream, memory.put_stream(kStream, draw_stream()));
    CHECK(d.complete);
    CAPTURE(d.text);
    CHECK(d.has("    Primitive flags:\n      draw_mode: Triangles\n"));
    CHECK(d.has(
        "    Position resources: 2 tables @0x20000\n      Table 0 @0x20000:\n        address: 0x21000\n"));
    CHECK(d.has("        Sampler @0x21000:\n"));
    CHECK(d.has("magnify_nearest: true\n"));
    CHECK(d.has("        Texture @0x21020:\n"));
    CHECK(d.has("          format: RGBA8_UNORM RGBA (0xbb000)\n"));
    CHECK(d.has("          Plane 1 @0x22020:\n"));
    CHECK(d.has("pointer: 0x78000\n"));
    CHECK(d.has("        Buffer @0x21040:\n"));
    CHECK(d.has("        @0x21060: empty\n"));
    CHECK(d.has("        @0xdead0000: unmapped\n"));
    CHECK(d.has("    Fragment resources: 2 tables @0x20000, printed above\n"));
    CHECK(
        d.has("    Fragment FAU: 2 words @0x25000\n      u0: 3f800000 00000000 (1, 0)\n      u2: 00000007 "
              "00000008 ("));
    CHECK(d.has("    Fragment shader @0x23000:\n      stage: Fragment\n"));
    CHECK(d.has("      code @0x24000:\n        0000: "));
    CHECK(d.has("  BRANCHZ.eq r0, offset:1\n        0008: "));
    CHECK(d.has("  FADD.f32.end r0, r1, r2\n    Position local storage @0x2a000:\n"));
    CHECK(d.has("    index_count: 6\n"));
    CHECK(d.has("    instance_count: not set\n"));
    CHECK(d.has("    primitive_size: 2\n"));
    CHECK(d.has("    Tiler context @0x26000:\n"));
    CHECK(d.has("      Tiler heap @0x27000:\n"));
    CHECK(d.has("    Blend RT 0 @0x28000:\n"));
    CHECK(d.has("      code @0x2c000:\n"));
    CHECK(d.has("    Depth/stencil @0x29000:\n"));
    CHECK(d.has("depth_function: Less\n"));
}

TEST_CASE("mali decode: a fragment job and its framebuffer") {
    TestMemory memory = draw_memory();
    Framebuffer fb;
    fb.parameters.width = 800;
    fb.parameters.height = 600;
    fb.parameters.effective_tile_size = 256;
    fb.parameters.pre_frame_0 = PrePostFrameShaderMode::Always;
    fb.parameters.frame_shader_dcds = 0x60000;
    fb.parameters.render_target_count = 2;
    fb.parameters.has_zs_crc_extension = true;
    fb.parameters.tiler = kTiler;
    fb.parameters.sample_locations = 0x61000;
    memory.put_descriptor(kFramebuffer, fb);
    memory.put_descriptor(kFramebuffer + 128, ZsCrcExtension{.zs_write_format = ZsWriteFormat::D24S8});
    memory.put_descriptor(kFramebuffer + 192, RenderTarget{.write_enable = true,
                                                           .writeback_block_format = BlockFormat::AFBC,
                                                           .afbc_header = 0x123000});
    Draw draw;
    draw.depth_stencil = kZsd;
    draw.shader.shader = kSpd;
    memory.put_descriptor(0x60000, draw);
    memory.put_words(0x61000, std::vector<uint32_t>(33, 128 | 136 << 16));
    const uint64_t pointer = pack64(FramebufferPointer{
        .zs_crc_extension_present = true, .render_target_count = 2, .pointer = kFramebuffer});
    const Decoded d = decoded(
        memory, kStream,
        memory.put_stream(
            kStream, {pack64(CsMove{.immediate = pointer, .destination = 40}), pack64(CsRunFragment{})}));
    CHECK(d.complete);
    CAPTURE(d.text);
    CHECK(d.has("    Framebuffer @0x2b000:\n      parameters:\n"));
    CHECK(d.has("      Sample locations @0x61000: (0, 8) (0, 8)"));
    CHECK(d.has("      Pre frame 0 @0x60000:\n"));
    CHECK_FALSE(d.has("Post frame @"));
    CHECK(d.has("      Tiler context @0x26000:\n"));
    CHECK(d.has("      ZS/CRC extension @0x2b080:\n        zs_write_format: D24S8\n"));
    CHECK(d.has("      Render target 0 @0x2b0c0:\n"));
    CHECK(d.has("afbc_header: 0x123000\n"));
    CHECK(d.has("      Render target 1 @0x2b100: unmapped\n"));
}

TEST_CASE("mali decode: captures") {
    TestMemory memory = draw_memory();
    const uint64_t size = memory.put_stream(kStream, draw_stream());
    std::FILE* file = std::tmpfile();
    REQUIRE(file);
    terrazzo::capture::CaptureWriter writer(file);
    writer.chip(terrazzo::capture::Vendor::Mali, 0xa8670005, 0);
    for (const auto& [va, bytes] : memory.ranges.ranges())
        writer.memory(va, bytes);
    writer.note("a frame");
    const uint32_t registers[] = {0, 0, 1};
    writer.submit(kStream, size, 1, registers);
    writer.submit(kStream, 8, 1, {});
    REQUIRE(writer.ok());
    std::vector<uint8_t> bytes(size_t(std::ftell(file)));
    std::rewind(file);
    REQUIRE(std::fread(bytes.data(), 1, bytes.size(), file) == bytes.size());
    std::fclose(file);

    fields::StringSink sink;
    std::string error;
    CHECK(mali::decode::print_capture(bytes, sink, {}, &error));
    CHECK(sink.text.find("Chip: Mali-G610 (0xa8670005, variant 0)\nNote: a frame\nSubmission 0: queue 1, 96 "
                         "bytes @0x10000\n") == 0);
    CHECK(sink.text.find("Submission 1: queue 1, 8 bytes @0x10000\n") != std::string::npos);
    CHECK(sink.text.find("Fragment shader @0x23000:\n") != std::string::npos);
    bytes.resize(bytes.size() - 8);
    CHECK_FALSE(mali::decode::print_capture(bytes, sink, {}, &error));
    CHECK(error == "the file ends within a record");
    bytes[24] = 2;  // an Adreno's recording
    CHECK_FALSE(mali::decode::print_capture(bytes, sink, {}, &error));
    CHECK(error == "the capture is not of a Mali");
}
