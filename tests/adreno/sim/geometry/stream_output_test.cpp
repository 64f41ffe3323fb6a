// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// VPC's stream output.
#include "tests/adreno/sim/geometry/fixture.h"

namespace terrazzo::adreno::sim::testing {
namespace {

using hw::PrimType;

// Position x and y to buffer 0 at stride 12, z to buffer 1.
struct StreamFixture : Fixture {
    StreamFixture() {
        vertices({-1, -1, 0, 1, 1, -1, 0.25f, 1, -1, 1, 0.5f, 1, 1, 1, 0.75f, 1});
        call.initiator.prim_type = PrimType::DI_PT_TRISTRIP;
        set(hw::VPC_SO_DISABLE{});
        set(hw::VPC_SO_STREAM_CNTL{.buf0_stream = 1, .buf1_stream = 1, .stream_enable = 1});
        set(hw::VPC_SO_CNTL{.addr = 2, .reset = true});
        set(hw::VPC_SO_PROG{.a_buf = 0, .a_off = 4, .a_en = true, .b_buf = 0, .b_off = 0, .b_en = true});
        set(hw::VPC_SO_PROG{.a_buf = 1, .a_off = 0, .a_en = true});
        for (unsigned b = 0; b < 2; ++b) {
            set(hw::VPC_SO_BUFFER_BASE{.value = kStreams + 0x1000 * b}, b);
            set(hw::VPC_SO_BUFFER_SIZE{.value = 0x100}, b);
            set(hw::VPC_SO_BUFFER_STRIDE{.value = b ? 4u : 12u}, b);
            set(hw::VPC_SO_BUFFER_OFFSET{.value = 0}, b);
        }
    }
    uint32_t offset(unsigned b) { return machine.registers.get<hw::VPC_SO_BUFFER_OFFSET>(b).value; }
};

}  // namespace

TEST_CASE("adreno stream output: a strip's triangles, each with its vertices") {
    StreamFixture f;
    f.set(hw::VPC_SO_BUFFER_OFFSET{.value = 8}, 1);
    f.must_run();
    CHECK(f.out.primitives.size() == 2);
    // Triangles 0 1 2 and 2 1 3.
    const float x[6] = {-1, 1, -1, -1, 1, 1}, y[6] = {-1, -1, 1, 1, -1, 1},
                z[6] = {0, 0.25f, 0.5f, 0.5f, 0.25f, 0.75f};
    for (unsigned i = 0; i < 6; ++i) {
        CHECK(f.word(Fixture::kStreams + 12 * i + 4) == bits(x[i]));
        CHECK(f.word(Fixture::kStreams + 12 * i) == bits(y[i]));
        CHECK(f.word(Fixture::kStreams + 12 * i + 8) == 0);
        CHECK(f.word(Fixture::kStreams + 0x1000 + 8 + 4 * i) == bits(z[i]));
    }
    CHECK(f.offset(0) == 72);
    CHECK(f.offset(1) == 32);
    CHECK(f.machine.stream_output_primitives[0][0] == 2);
    CHECK(f.machine.stream_output_primitives[1][0] == 2);
    f.must_run();  // continues after the first
    CHECK(f.offset(0) == 144);
}

TEST_CASE("adreno stream output: a primitive is written if it fits into all buffers") {
    StreamFixture f;
    f.set(hw::VPC_SO_BUFFER_SIZE{.value = 20}, 1);
    f.must_run();
    CHECK(f.machine.stream_output_primitives[0][0] == 1);
    CHECK(f.machine.stream_output_primitives[1][0] == 2);
    CHECK(f.offset(0) == 36);
    CHECK(f.offset(1) == 12);
    CHECK(f.word(Fixture::kStreams + 36) == 0);
}

TEST_CASE("adreno stream output: disabled, discarded, out of order") {
    StreamFixture f;
    f.set(hw::VPC_SO_DISABLE{.disable = true});
    f.must_run();
    CHECK(f.offset(0) == 0);
    CHECK(f.machine.stream_output_primitives[1][0] == 0);
    f.set(hw::VPC_SO_DISABLE{});
    f.set(hw::PC_RASTER_CNTL{.discard = true});
    f.must_run();
    CHECK(f.offset(0) == 72);
    CHECK(f.out.primitives.empty());
    f.set(hw::VPC_SO_CNTL{.addr = 100});
    f.set(hw::VPC_SO_PROG{.a_en = true});
    f.must_run();  // another stream's program
    f.set(hw::VPC_SO_CNTL{.addr = 50});
    f.set(hw::VPC_SO_PROG{.a_en = true});
    CHECK(f.report() == "draw 0: VPC_SO_PROG: location 100 is beyond VPC_VS_PACK's stride of 8");
    f.set(hw::VPC_SO_BUFFER_SIZE{.value = 72});
    f.must_run();  // the buffer is full
    f.set(hw::VPC_SO_BUFFER_SIZE{.value = 0x100});
    f.set(hw::VPC_SO_CNTL{.addr = 0, .reset = true});
    f.set(hw::VPC_SO_PROG{.a_buf = 3, .a_en = true});
    CHECK(f.report() == "draw 0: VPC_SO_PROG writes buffer 3, which VPC_SO_STREAM_CNTL gives no stream");
    f.set(hw::VPC_SO_CNTL{.addr = 0, .reset = true});
    f.set(hw::VPC_SO_PROG{.a_buf = 0, .a_en = true});
    f.set(hw::VPC_SO_BUFFER_BASE{.value = 0x20});
    CHECK(f.report().starts_with("draw 0: stream output buffer 0: "));
}

}  // namespace terrazzo::adreno::sim::testing
