// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// geometry_count and geometry_write, compared with the linked kernel. This test decomposes the kernel's
// strips as the CPU driver does.
#include "shaders/passes/geometry_passes.h"

#include <algorithm>

#include "shaders/passes/stream_output_stores.h"
#include "tests/shaders/ir/random_shader.h"
#include "tests/shaders/passes/run_kernel.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;
namespace buffer = terrazzo::ir::stage_buffer;

namespace {

constexpr const char* kVertex =
    "layout(location = 0) in vec4 a; out vec4 color; flat out int count; void main() { gl_Position = a; "
    "color "
    "= a * 2.0; count = int(a.x); }";
constexpr const char* kFragment =
    "in vec4 shade; flat in int n; out vec4 o; void main() { o = shade * float(n); }";

struct Geometry {
    const char* layout;
    const char* body;  // body of main(); k is a small number that differs between invocations
};
constexpr Geometry kGeometries[] = {
    // As many vertices as fit, and too many.
    {"layout(points) in; layout(points, max_vertices = 5) out;",
     "for (int i = 0; i < k; ++i) { n = i; shade = color[0] + float(i); gl_Position = shade; EmitVertex(); "
     "}"},
    // Many invocations without any vertex.
    {"layout(lines) in; layout(line_strip, max_vertices = 7) out;",
     "if (k < 3) return; n = k; shade = color[1]; gl_Position = gl_in[0].gl_Position; EmitVertex(); if (k > "
     "4) "
     "EndPrimitive(); shade = color[0]; EmitVertex(); n = 9; EmitVertex(); EndPrimitive(); EndPrimitive(); "
     "if (k > 6) { EmitVertex(); shade += 1.0; EmitVertex(); }"},
    // Strips of different lengths.
    {"layout(triangles, invocations = 3) in; layout(triangle_strip, max_vertices = 16) out;",
     "n = gl_InvocationID; for (int i = 0; i < 16; ++i) { shade = color[i % 3] * float(i); gl_Position = "
     "gl_in[(i + k) % 3].gl_Position; EmitVertex(); if (i % (k + 1) == k) EndPrimitive(); if (i > k * 2) "
     "break; }"},
    {"layout(triangles_adjacency) in; layout(triangle_strip, max_vertices = 4) out;",
     "n = k; for (int i = 0; i < 6; i += 2) { shade = color[i]; gl_Position = gl_in[i].gl_Position; "
     "EmitVertex(); } if (k > 5) { EmitVertex(); }"},
};

std::string text_of(const Geometry& g) {
    return std::string(g.layout) +
           "in vec4 color[]; flat in int count[]; out vec4 shade; flat out int n; void main() { int k = "
           "(count[0] + gl_InvocationID + gl_PrimitiveIDIn) % 9; " +
           g.body + " }";
}

uint32_t corners(const StageRecords& r) {
    return r.out == Shape::Points ? 1 : r.out == Shape::Lines ? 2 : 3;
}

/// Captures the draw's primitives with capture_kernel(): two draws into one buffer, which may be too small.
void check_capture(const StageRecords& r, const KernelBuffers& drawn, size_t primitives, Random& random) {
    StreamOutputLayout layout;
    const auto position = uint8_t(VaryingSlot::Position), varying = uint8_t(VaryingSlot::Varying0);
    layout.outputs = {{.slot = varying, .component = 1, .count = 3, .buffer = 2, .offset_dw = 1},
                      {.slot = position, .component = 0, .count = 4, .buffer = 2, .offset_dw = 4},
                      {.slot = position, .component = 3, .count = 1, .buffer = 0, .offset_dw = 0}};
    layout.stride_dw = {1, 0, 9, 0};
    const uint32_t n = corners(r), state = 4;
    const auto s = capture_kernel(r, layout, {.primitive_vertices = n});
    const uint32_t room = random.below(uint32_t(primitives) * 3 + 1), indices = uint32_t(primitives) * n;
    KernelBuffers b;
    b[capture_buffer::kRecords] = drawn.at(buffer::kOutput);
    b[capture_buffer::kIndices] = drawn.at(geometry_pass::kIndices);
    b[capture_buffer::kParam] = {indices};
    b[0].assign(room * n + random.below(n), 7);
    b[2].assign((room + random.below(3)) * n * 9, 7);
    b[state] = {0, 0};
    for (unsigned draw = 0; draw < 2; draw++) {
        run_kernel(*s, std::max(indices, 1u), b, true);
        b[state][0] = b[state][1];
    }
    CHECK(b[state][1] == std::min(room, uint32_t(primitives) * 2));
    const std::vector<uint32_t>& records = b[capture_buffer::kRecords];
    for (uint32_t v = 0; v < room * n; v++) {
        const bool written = v < primitives * 2 * n;
        const uint32_t* record = nullptr;
        if (written)
            record =
                records.data() + size_t(b[capture_buffer::kIndices][v % indices]) * record_dw(r.slots_out);
        const auto is = [&](uint32_t got, uint8_t slot, unsigned c) {
            return got == (written ? record[slot_dw(r.slots_out, slot) + c] : 7u);
        };
        REQUIRE(is(b[0][v], position, 3));
        REQUIRE(b[2][v * 9] == 7);
        for (unsigned c = 1; c < 4; c++)
            REQUIRE(is(b[2][v * 9 + c], varying, c));
        for (unsigned c = 0; c < 4; c++)
            REQUIRE(is(b[2][v * 9 + 4 + c], position, c));
        REQUIRE(b[2][v * 9 + 8] == 7);
    }
}

/// The records of each primitive's vertices, without the flag that marks the beginning of strips.
using Primitives = std::vector<std::vector<uint32_t>>;

void add_record(const StageRecords& r, const uint32_t* record, std::vector<uint32_t>* to) {
    const uint32_t flag = slot_dw(r.slots_out, unsigned(EmitSlot::StripStart));
    for (uint32_t n = 0; n < record_dw(r.slots_out); n++)
        if (n < flag || n >= flag + 4) to->push_back(record[n]);
}

/// OpenGL ES 3.2 section 11.3.2, computed from the linked kernel's buffers.
Primitives direct(const StageRecords& r, const KernelBuffers& b, uint32_t invocations) {
    Primitives out;
    const uint32_t record = record_dw(r.slots_out),
                   flag = slot_dw(r.slots_out, unsigned(EmitSlot::StripStart));
    for (uint32_t i = 0; i < invocations; i++) {
        const uint32_t count = std::min(b.at(buffer::kCount)[i], r.vertices_out);
        uint32_t in_strip = 0;
        for (uint32_t n = 0; n < count; n++) {
            const uint32_t* const v = b.at(buffer::kOutput).data() + size_t(i * r.vertices_out + n) * record;
            in_strip = v[flag] ? 1 : in_strip + 1;
            if (in_strip < corners(r)) continue;
            std::vector<uint32_t> p;
            if (corners(r) == 3) {
                const bool swap = in_strip % 2 == 0;
                add_record(r, v - record * (swap ? 1 : 2), &p);
                add_record(r, v - record * (swap ? 2 : 1), &p);
            }
            if (corners(r) == 2) add_record(r, v - record, &p);
            add_record(r, v, &p);
            out.push_back(p);
        }
    }
    return out;
}

Primitives drawn(const StageRecords& r, const KernelBuffers& b) {
    Primitives out;
    const std::vector<uint32_t>& indices = b.at(geometry_pass::kIndices);
    const uint32_t record = record_dw(r.slots_out);
    for (size_t n = 0; n < indices.size(); n++) {
        if (n % corners(r) == 0) out.emplace_back();
        REQUIRE((indices[n] + 1) * record <= b.at(buffer::kOutput).size());
        add_record(r, b.at(buffer::kOutput).data() + size_t(indices[n]) * record, &out.back());
    }
    return out;
}

}  // namespace

TEST_CASE("geometry_count does not change shaders with side effects") {
    const auto program = link_kernels(
        {{Stage::Vertex, kVertex},
         {Stage::Geometry,
          "layout(points) in; layout(points, max_vertices = 1) out; layout(std430, binding = 0) buffer B { "
          "int "
          "x; }; in vec4 color[]; out vec4 shade; flat out int n; void main() { n = atomicAdd(x, 1); shade = "
          "color[0]; EmitVertex(); }"}},
        kFragment);
    const auto s = clone(*program->stages[size_t(Stage::Geometry)]);
    const std::string before = print(*s);
    CHECK(!geometry_count(*s));
    CHECK(print(*s) == before);
}

TEST_CASE("geometry in two passes draws the same as in one pass") {
    Random random(9);
    unsigned primitives = 0, empty = 0;
    for (const Geometry& g : kGeometries) {
        const std::string text = text_of(g);
        CAPTURE(text);
        const auto program = link_kernels({{Stage::Vertex, kVertex}, {Stage::Geometry, text}}, kFragment);
        const Shader& kernel = *program->stages[size_t(Stage::Geometry)];
        const StageRecords& r = kernel.info.records;
        const auto counting = clone(kernel), writing = clone(kernel);
        REQUIRE(geometry_count(*counting));
        CHECK(print(*counting).size() < print(kernel).size());
        geometry_write(*writing);
        for (const uint32_t count : {0u, 1u, 7u, 64u, 65u, 100u}) {
            CAPTURE(count);
            const uint32_t invocations = count * r.invocations;
            KernelBuffers one;
            for (uint32_t n = 0; n < count * r.vertices_in * record_dw(r.slots_in); n++)
                one[buffer::kInput].push_back(random.chance(50)
                                                  ? random.below(100)
                                                  : std::bit_cast<uint32_t>(float(random.below(64)) / 8));
            one[buffer::kParam] = {random.below(50), 0};
            KernelBuffers counted = one, two = one;
            one[buffer::kOutput].assign(size_t(invocations) * r.vertices_out * record_dw(r.slots_out),
                                        0xdeadbeef);
            one[buffer::kCount].resize(invocations);
            run_kernel(kernel, invocations, one);
            const Primitives want = direct(r, one, invocations);

            counted[buffer::kCount].resize(invocations);
            counted[geometry_pass::kPrimitives].resize(invocations);
            run_kernel(*counting, invocations, counted, true);
            CHECK(counted[buffer::kCount] == one[buffer::kCount]);
            uint32_t total = 0, total_primitives = 0;
            for (uint32_t i = 0; i < invocations; i++) {
                const uint32_t n = counted[buffer::kCount][i];
                two[geometry_pass::kStarts].push_back(total);
                two[geometry_pass::kStarts].push_back(total_primitives);
                empty += n == 0;
                total += std::min(n, r.vertices_out);
                total_primitives += counted[geometry_pass::kPrimitives][i];
            }
            CHECK(total_primitives == want.size());
            two[buffer::kOutput].assign(size_t(total) * record_dw(r.slots_out), 0xdeadbeef);
            two[geometry_pass::kIndices].assign(size_t(total_primitives) * corners(r), 0xdeadbeef);
            run_kernel(*writing, invocations, two);
            REQUIRE_MESSAGE(drawn(r, two) == want, print(kernel) << print(*writing));
            primitives += unsigned(want.size());
            check_capture(r, two, want.size(), random);
        }
    }
    CHECK(primitives > 1000);
    CHECK(empty > 20);
}
