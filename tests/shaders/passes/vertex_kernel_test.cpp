// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// vertex_kernel, after vertex_fetch. The records of assembled primitives are compared with the vertex stage
// itself, executed vertex by vertex.
#include "shaders/passes/vertex_kernel.h"

#include <cstring>

#include "shaders/passes/vertex_fetch.h"
#include "shaders/passes/walk.h"
#include "tests/shaders/ir/random_shader.h"
#include "tests/shaders/passes/run_kernel.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;
namespace buffer = terrazzo::ir::stage_buffer;

namespace {

constexpr const char* kVertex =
    "layout(location = 0) in vec4 a; layout(location = 1) in vec2 each; out vec4 color; flat out int n;\n"
    "void main() { gl_Position = a + float(gl_InstanceID); color = a.wzyx; n = gl_VertexID; if (each.x > "
    "2.0) "
    "{ color.xy = each; n += 1000; } }";
constexpr const char* kFragment =
    "in vec4 color; flat in int n; out vec4 o; void main() { o = color * float(n); }";

/// The vertex stage as linked: one vertex of an instance.
class VertexEnv final : public TestEnv {
  public:
    VertexEnv() : TestEnv(4) {}
    uint32_t vertex = 0, instance = 0, base_instance = 0;
    const std::vector<uint32_t>* attributes[2] = {};  // one per vertex, one per instance
    void load_sysval(Sysval s, unsigned, Type, uint32_t* out) override {
        for (unsigned i = 0; i < lanes; i++)
            out[i] = s == Sysval::VertexId ? vertex : s == Sysval::InstanceId ? instance : 0xdead;
    }
    void load_input(const IoInfo& io, Type, const uint32_t*, uint32_t* out) override {
        const uint32_t at = io.slot ? (base_instance + instance / 2) * 2 : vertex * 4;
        for (unsigned i = 0; i < lanes; i++)
            out[i] = attributes[io.slot]->at(at + io.component);
    }
};

/// The vertices of each primitive, for `count` vertices in order (OpenGL ES 3.2 section 10.1).
std::vector<uint32_t> listed(Assembly a, uint32_t count) {
    std::vector<uint32_t> out;
    const auto add = [&](std::initializer_list<uint32_t> p) { out.insert(out.end(), p); };
    switch (a) {
        case Assembly::List:
            for (uint32_t n = 0; n < count; n++)
                add({n});
            break;
        case Assembly::LineStrip:
            for (uint32_t n = 0; n + 1 < count; n++)
                add({n, n + 1});
            break;
        case Assembly::LineLoop:
            for (uint32_t n = 0; n + 1 < count; n++)
                add({n, n + 1});
            add({count - 1, 0});
            break;
        case Assembly::LineStripAdjacency:
            for (uint32_t n = 0; n + 3 < count; n++)
                add({n, n + 1, n + 2, n + 3});
            break;
        case Assembly::TriangleStrip:
            for (uint32_t n = 0; n + 2 < count; n++)
                if (n % 2)
                    add({n + 1, n, n + 2});
                else
                    add({n, n + 1, n + 2});
            break;
        case Assembly::TriangleFan:
            for (uint32_t n = 0; n + 2 < count; n++)
                add({0, n + 1, n + 2});
            break;
    }
    return out;
}

}  // namespace

TEST_CASE("vertex_kernel requires that attributes are loaded from buffers") {
    const char* text = "vertex {\n  %0: f32 = load_input 0.x\n  store_output 0.x, %0\n}\n";
    const auto s = shader_of(text);
    CHECK(!vertex_kernel(*s, {.slots = 1}));
    CHECK(print(*s) == text);
}

TEST_CASE("vertex_kernel names the vertex and the instance of attributes that the device fetches") {
    const auto s = shader_of("vertex {\n  %0: f32 = load_input 3.x\n  store_output 0.x, %0\n}\n");
    REQUIRE(vertex_kernel(*s, {.index_B = 4, .slots = 1, .keeps_inputs = true}));
    unsigned loads = 0;
    for_each(s->body, [&](Instr* i) {
        if (i->op != Op::LoadInput) return;
        ++loads;
        CHECK(i->u.io.slot == 3);
        REQUIRE(i->operand_count == 2);
        CHECK(i->operand(0)->def->op == Op::IAdd);  // index and base vertex
        CHECK(i->operand(1)->def->op == Op::UDiv);  // invocation / vertices of an instance
    });
    CHECK(loads == 1);
}

TEST_CASE("vertex_kernel stores the slots of a record") {
    const auto s = shader_of(R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  store_output 7.y, %0
  store_output 8.x, %0
})");
    REQUIRE(vertex_kernel(*s, {.slots = 1 << 0 | 1 << 7}));
    CHECK(validate(*s, Phase::AfterLink).empty());
    const std::string text = print(*s);
    CHECK(text.find("store_output") == std::string::npos);
    CHECK(text.find("vertex_id") == std::string::npos);
    CHECK(text.find("binding=" + std::to_string(buffer::kOutput) + " offset_B=20") != std::string::npos);
    CHECK(text.find("store_buffer") == text.rfind("store_buffer"));
}

TEST_CASE("vertex_kernel: draws of all assemblies, with and without indices") {
    Random random(4);
    const auto program = link_kernels({{Stage::Vertex, kVertex}}, kFragment);
    const Shader& vertex = *program->stages[size_t(Stage::Vertex)];
    const uint64_t slots = vertex.info.outputs_written & ~uint64_t(2);
    const uint32_t record = record_dw(slots);
    std::vector<uint32_t> attributes[2];
    for (unsigned n = 0; n < 2; n++)
        for (unsigned k = 0; k < 400; k++)
            attributes[n].push_back(std::bit_cast<uint32_t>(float(random.below(100)) / 16));
    VertexFetchOptions fetch;
    fetch.attributes[0] = {.source = FetchedAttribute::Source::Buffer, .stride_B = 16};
    fetch.attributes[1] = {
        .source = FetchedAttribute::Source::Buffer, .channels = 2, .buffer = 1, .stride_B = 8, .divisor = 2};
    unsigned vertices = 0;
    for (const Assembly a : {Assembly::List, Assembly::LineStrip, Assembly::LineLoop,
                             Assembly::LineStripAdjacency, Assembly::TriangleStrip, Assembly::TriangleFan})
        for (const unsigned index_B : {0u, 1u, 2u, 4u})
            for (const uint32_t count : {4u, 5u, 9u, 30u}) {
                CAPTURE(unsigned(a));
                CAPTURE(index_B);
                CAPTURE(count);
                const auto kernel = clone(vertex);
                REQUIRE(vertex_fetch(*kernel, fetch));
                REQUIRE(vertex_kernel(*kernel, {.assembly = a, .index_B = index_B, .slots = slots}));
                const uint32_t first = random.below(7), base_vertex = index_B ? random.below(5) : 0,
                               base_instance = random.below(3), instances = 1 + random.below(3);
                std::vector<uint32_t> numbers;  // numbers of the draw's vertices
                KernelBuffers b;
                b[buffer::kInput].resize(40);
                auto* const bytes = reinterpret_cast<uint8_t*>(b[buffer::kInput].data());
                for (uint32_t n = 0; n < count; n++) {
                    const uint32_t index = random.below(50);
                    std::memcpy(bytes + size_t(first + n) * index_B, &index, index_B);
                    numbers.push_back(index_B ? index + base_vertex : first + n);
                }
                const std::vector<uint32_t> list = listed(a, count);
                b[0] = attributes[0], b[1] = attributes[1];
                b[buffer::kParam] = {first, uint32_t(list.size()), base_vertex, base_instance, 0};
                const auto total = uint32_t(list.size()) * instances;
                b[buffer::kOutput].assign(size_t(total) * record, 0xdeadbeef);
                run_kernel(*kernel, total, b, true);

                const auto direct = InterpProgram::create(vertex, 4);
                InterpState state(*direct);
                VertexEnv env;
                env.attributes[0] = &attributes[0], env.attributes[1] = &attributes[1];
                env.base_instance = base_instance;
                for (uint32_t n = 0; n < total; n++, vertices++) {
                    env.instance = n / uint32_t(list.size());
                    env.vertex = numbers[list[n % list.size()]];
                    env.outputs.clear();
                    REQUIRE(run(*direct, state, env, 1, 100) == InterpStatus::Done);
                    for (const auto& [place, row] : env.outputs) {
                        if (!(slots >> place / 4 & 1)) continue;
                        const uint32_t dword = n * record + slot_dw(slots, place / 4) + place % 4;
                        REQUIRE(b[buffer::kOutput][dword] == row[0]);
                    }
                }
            }
    CHECK(vertices > 2000);
}
