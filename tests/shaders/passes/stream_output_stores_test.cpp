// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// stream_output_stores: a no-change case, a literal, and draws of random programs in the interpreter. Their
// buffers must equal the stores of the unchanged stage, written one primitive after another.
#include "shaders/passes/stream_output_stores.h"

#include "tests/shaders/ir/random_shader.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

constexpr uint32_t kParams_dw = 2, kUntouched = 0xabcdef01;

/// The lanes are the vertices `at` to `at` + lanes - 1 of a draw, instance by instance.
class DrawEnv final : public TestEnv {
  public:
    DrawEnv() : TestEnv(8) {}
    uint32_t first = 0, vertices = 1, at = 0;
    std::vector<uint32_t> memory[kMaxStreamBuffers + 1];  // the last one has the state

    [[nodiscard]] uint32_t vertex(unsigned lane) const { return first + (at + lane) % vertices; }
    [[nodiscard]] uint32_t instance(unsigned lane) const { return (at + lane) / vertices; }
    void load_sysval(Sysval s, unsigned, Type, uint32_t* out) override {
        REQUIRE((s == Sysval::VertexId || s == Sysval::InstanceId));
        for (unsigned i = 0; i < lanes; i++)
            out[i] = s == Sysval::VertexId ? vertex(i) : instance(i);
    }
    void load_input(const IoInfo& io, Type, const uint32_t*, uint32_t* out) override {
        for (unsigned i = 0; i < lanes; i++)
            out[i] = hash(vertex(i) * 977 + instance(i) * 131 + io.slot * 4 + io.component) & 0x3ff;
    }
    std::span<const MemoryRange> slots(Storage space) override {
        for (unsigned n = 0; n <= kMaxStreamBuffers; n++)
            ranges_[n] = {reinterpret_cast<uint8_t*>(memory[n].data()), uint32_t(memory[n].size() * 4)};
        return std::span(ranges_).first(space == Storage::Buffer ? kMaxStreamBuffers + 1 : 0);
    }

  private:
    MemoryRange ranges_[kMaxStreamBuffers + 1];
};

struct Draw {
    uint32_t first, vertices, instances;
};

/// Runs all vertices of the draw. `each` is called for each vertex with its lane.
template <typename F>
void run_draw(const Shader& s, DrawEnv& env, const Draw& d, unsigned primitive, const F& each) {
    const auto program = InterpProgram::create(s, env.lanes);
    InterpState state(*program);
    env.first = d.first, env.vertices = std::max(d.vertices, 1u);
    env.uniform_words = {5, 6, d.first, d.vertices / primitive * primitive};
    env.uniforms = env.uniform_words;
    const uint32_t count = d.vertices * d.instances;
    for (env.at = 0; env.at < count; env.at += env.lanes) {
        const uint32_t here = std::min(count - env.at, env.lanes);
        env.outputs.clear();
        REQUIRE(run(*program, state, env, (InterpMask(1) << here) - 1, 1000) == InterpStatus::Done);
        for (uint32_t lane = 0; lane < here; lane++)
            each(env.at + lane, lane);
    }
}

/// Stores to the slots 0, 7 and 8, some of them in branches and loops, some components twice or never.
std::unique_ptr<Shader> random_vertex_shader(Random& random) {
    std::string text =
        "vertex {\n  %0: i32 = load_input 0.x\n  %1: i32 = load_input 1.y\n  %2: i32 = const 3\n";
    unsigned next = 3;
    std::vector<std::string> numbers = {"%0", "%1", "%2"};
    const auto id = [&] { return "%" + std::to_string(next++); };
    const auto any = [&] { return numbers[random.below(unsigned(numbers.size()))]; };
    const auto store = [&](const std::string& indent, const std::string& value) {
        const unsigned slots[] = {0, 7, 8};
        text += indent + "store_output " + std::to_string(slots[random.below(3)]) + "." +
                "xyzw"[random.below(4)] + ", " + value + "\n";
    };
    for (unsigned n = 0; n < 10; n++) {
        const std::string v = id();
        text += "  " + v + ": i32 = " + (random.chance(50) ? "iadd " : "ixor ") + any() + ", " + any() + "\n";
        numbers.push_back(v);
        const unsigned kind = random.below(4);
        if (kind == 0) {
            const std::string c = id();
            text += "  " + c + ": bool = ilt " + any() + ", " + any() + "\n  if " + c + " {\n";
            store("    ", v);
            if (random.chance(50)) {
                text += "  } else {\n";
                store("    ", any());
            }
            text += "  }\n";
        } else if (kind == 1) {
            text += "  loop () {\n";
            store("    ", v);
            text += "    break\n  }\n";
        } else {
            store("  ", v);
        }
    }
    return shader_of(text + "}\n");
}

StreamOutputLayout random_layout(Random& random) {
    StreamOutputLayout l;
    const unsigned buffers = 1 + random.below(kMaxStreamBuffers), gap = random.below(3);
    for (unsigned n = 0; n < buffers; n++) {
        for (unsigned k = 0; k <= random.below(3); k++) {
            const unsigned component = random.below(4);
            const auto count = uint8_t(1 + random.below(4 - component));
            const uint8_t slots[] = {0, 7, 8};
            l.outputs.push_back(
                {slots[random.below(3)], uint8_t(component), count, uint8_t(n), l.stride_dw[n]});
            l.stride_dw[n] += count + gap;
        }
    }
    return l;
}

}  // namespace

TEST_CASE("stream_output_stores: without captures") {
    const char* text = "vertex {\n  %0: f32 = load_input 0.x\n  store_output 0.x, %0\n}\n";
    const auto s = shader_of(text);
    CHECK(!stream_output_stores(*s, {}, {}));
    CHECK(print(*s) == text);
}

TEST_CASE("stream_output_stores: lines with one output") {
    const auto s = shader_of(R"(vertex {
  %0: f32 = load_input 0.x
  store_output 0.x, %0
  store_output 0.y, %0
})");
    StreamOutputLayout l;
    l.outputs = {{.slot = 0, .component = 0, .count = 2, .buffer = 1, .offset_dw = 1}};
    l.stride_dw = {0, 3, 0, 0};
    CHECK(stream_output_stores(*s, l, {.state_binding = 9, .params_dw = 4, .primitive_vertices = 2}));
    CHECK(validate(*s, Phase::AfterLink).empty());
    s->renumber();
    CHECK(print(*s) == R"(vertex {
  %0: f32 = load_input 0.x
  store_output 0.x, %0
  store_output 0.y, %0
  %1: i32 = load_uniform 4
  %2: i32 = load_uniform 5
  %3: i32 = load_sysval vertex_id.x
  %4: i32 = isub %3, %1
  %5: i32 = load_sysval instance_id.x
  %6: i32 = imul %5, %2
  %7: i32 = iadd %6, %4
  %8: i32 = const 2
  %9: i32 = udiv %7, %8
  %10: bool = ult %4, %2
  %11: i32 = const -1
  %12: i32 = select %10, %9, %11
  %13: i32 = const 0
  %14: i32 = load_buffer buffer binding=9 (%13)
  %15: i32 = buffer_size buffer binding=1 ()
  %16: i32 = const 24
  %17: i32 = udiv %15, %16
  %18: i32 = umin %14, %17
  %19: i32 = isub %17, %18
  %20: bool = ult %12, %19
  if %20 {
    %21: i32 = const 2
    %22: i32 = imul %14, %21
    %23: i32 = iadd %22, %7
    %24: i32 = const 12
    %25: i32 = imul %23, %24
    store_buffer buffer binding=1 words=2 offset_B=4 (%25, %0, %0)
    %26: i32 = const 2
    %27: i32 = imul %12, %26
    %28: bool = ieq %27, %7
    if %28 {
      %29: i32 = const 4
      %30: i32 = const 1
      %31: i32 = atomic_buffer add buffer binding=9 (%29, %30)
    }
  }
}
)");
}

TEST_CASE("stream_output_stores: draws of random programs until buffers are full") {
    Random random(3);
    unsigned dropped = 0, incomplete = 0, draws = 0;
    for (unsigned round = 0; round < 150; round++) {
        CAPTURE(round);
        const auto before = random_vertex_shader(random);
        const StreamOutputLayout layout = random_layout(random);
        const unsigned primitive = 1 + random.below(3);
        const auto after = clone(*before);
        REQUIRE(
            stream_output_stores(*after, layout, {.params_dw = kParams_dw, .primitive_vertices = primitive}));
        const std::string rule = validate(*after, Phase::AfterLink);
        REQUIRE_MESSAGE(rule.empty(), rule << print(*after));
        DrawEnv env;
        std::vector<uint32_t> want[kMaxStreamBuffers];
        uint32_t room = ~0u, written = 0;
        for (unsigned n = 0; n < kMaxStreamBuffers; n++) {
            env.memory[n].assign(layout.stride_dw[n] * random.below(60) + random.below(3), kUntouched);
            want[n] = env.memory[n];
            if (layout.stride_dw[n])
                room = std::min(room, uint32_t(want[n].size()) / (layout.stride_dw[n] * primitive));
        }
        env.memory[kMaxStreamBuffers] = {0, 0};
        for (unsigned k = 0; k < 4; k++, draws++) {
            const uint32_t counts[] = {0, 1, random.below(8), random.below(20)};
            const Draw d{random.below(5), counts[random.below(4)], 1 + random.below(3)};
            const uint32_t of_instance = d.vertices / primitive, start = written;
            incomplete += d.vertices % primitive != 0;
            run_draw(*before, env, d, primitive, [&](uint32_t vertex, uint32_t lane) {
                const uint32_t v = vertex % env.vertices;
                const uint32_t n = vertex / env.vertices * of_instance + v / primitive + start;
                if (v >= of_instance * primitive) return;
                if (n >= room) {
                    dropped++;
                    return;
                }
                written = std::max(written, n + 1);
                for (const StreamOutputLayout::Output& o : layout.outputs)
                    for (unsigned c = 0; c < o.count; c++) {
                        const auto row = env.outputs.find(o.slot * 4 + o.component + c);
                        const bool stored = row != env.outputs.end() && row->second[lane] != 0xdeadbeefu;
                        want[o.buffer][(n * primitive + v % primitive) * layout.stride_dw[o.buffer] +
                                       o.offset_dw + c] = stored ? row->second[lane] : 0;
                    }
            });
            run_draw(*after, env, d, primitive, [](uint32_t, uint32_t) {});
            REQUIRE(env.memory[kMaxStreamBuffers][1] == written);
            env.memory[kMaxStreamBuffers][0] = env.memory[kMaxStreamBuffers][1];
            for (unsigned n = 0; n < kMaxStreamBuffers; n++)
                REQUIRE_MESSAGE(env.memory[n] == want[n], print(*after));
        }
    }
    CHECK(dropped > 100);
    CHECK(incomplete > 50);
    CHECK(draws == 600);
}
