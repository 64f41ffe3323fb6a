// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Private memory and stack frames of generated code. Arrays up to the limit stay in their area for any index;
// larger ones are refused. No code has a frame above kMaxFrame_B, and no frame can skip a guard page.
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>

#include "tests/soft/jit_harness.h"

namespace terrazzo::soft::test {

namespace {

using ir::Op;
using ir::Type;
using ir::Value;

constexpr uint32_t kPosition = uint32_t(ir::VaryingSlot::Position);

/// Two arrays of the largest size. Attribute 0 has an index and a number. Lanes with a positive number store
/// it at the index of both arrays. The outputs are the elements at the index and after it.
std::unique_ptr<ir::Shader> large_arrays(uint32_t scalars) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Vertex);
    ir::Builder b(*s);
    ir::Var* const first = s->add_var("first", Type::F32, scalars / 2, ir::Storage::Local);
    ir::Var* const second = s->add_var("second", Type::I32, scalars - scalars / 2, ir::Storage::Local);
    Value* const at = b.load_input(Type::I32, 0, 0);
    Value* const number = b.load_input(Type::F32, 0, 1);
    ir::Instr* const some = b.begin_if(b.alu(Op::FLt, b.f32(0), number));
    b.set_end(some->regions[0]);
    b.store_var(first, 0, number, at);
    b.store_var(second, 0, at, at);
    b.set_end(s->body);
    b.store_output(kPosition, 0, b.load_var(first, 0, at));
    b.store_output(kPosition, 1, b.load_var(first, 0, b.iadd(at, b.i32(1))));
    b.store_output(kPosition, 2, b.load_var(second, 0, at));
    REQUIRE(ir::validate(*s) == "");
    return s;
}

/// Many values live at once: each is used again after all were computed.
std::unique_ptr<ir::Shader> spilling(unsigned count) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Vertex);
    ir::Builder b(*s);
    std::vector<Value*> values;
    Value* last = b.load_input(Type::F32, 0, 0);
    for (unsigned n = 0; n < count; ++n)
        values.push_back(last = b.alu(Op::FSqrt, b.fadd(last, b.f32(float(n) + 0.5f))));
    Value* sum = b.f32(1);
    for (unsigned n = 0; n < count; ++n)
        sum = b.fadd(b.fmul(sum, b.f32(0.5f)), values[n]);
    for (unsigned n = count; n-- > 0;)
        sum = b.fadd(b.fmul(sum, b.f32(0.25f)), values[n]);
    b.store_output(kPosition, 0, sum);
    return s;
}

std::vector<std::unique_ptr<ShaderCompiler>> compilers() {
    std::vector<std::unique_ptr<ShaderCompiler>> all;
    all.push_back(create_interpreter_compiler());
    all.push_back(create_tier1_compiler());
    for (const unsigned lanes : {4u, 8u, 16u})
        all.push_back(create_jit_compiler(lanes));
    std::erase(all, nullptr);
    return all;
}

struct Said {
    std::string text;
    pipe::Log log{[](void* data, pipe::Severity, std::string_view message) {
                      static_cast<Said*>(data)->text.append(message);
                  },
                  this};
};

}  // namespace

TEST_CASE("memory: arrays at the limit stay inside their area on every tier") {
    const auto s = large_arrays(ir::kMaxPrivateScalars);
    for (const auto& compiler : compilers()) {
        CAPTURE(compiler->name());
        const auto compiled = compiler->compile(*s, {});
        REQUIRE(compiled);
        CHECK(compiled->private_scalars == ir::kMaxPrivateScalars);
        VertexRun run;  // its area is followed by inaccessible pages
        const uint32_t last = ir::kMaxPrivateScalars / 2 - 1;
        const uint32_t indices[kLanes] = {0, last, last - 1, 17, last, 0, ~0u, 0x80000000u};
        const float numbers[kLanes] = {1, 2, 3, 4, -5, -6, 7, 8};
        for (unsigned v = 0; v < kLanes; ++v) {
            run.attributes[0][v][0] = indices[v];
            run.attributes[0][v][1] = std::bit_cast<uint32_t>(numbers[v]);
        }
        run.run(*compiled);
        for (unsigned v = 0; v < kLanes; ++v) {
            CAPTURE(v);
            const bool stored = numbers[v] > 0;
            CHECK(std::bit_cast<float>(run.out[0][v]) == (stored ? numbers[v] : 0));
            const bool is_last = std::min(indices[v], last) == last && indices[v] + 1 != 0;
            CHECK(std::bit_cast<float>(run.out[1][v]) == (stored && is_last ? numbers[v] : 0));
            CHECK(run.out[2][v] == (stored ? indices[v] : 0));
        }
    }
}

TEST_CASE("memory: arrays of more than the limit are refused, by every compiler") {
    const auto s = large_arrays(ir::kMaxPrivateScalars + 1);
    for (const auto& compiler : compilers()) {
        CAPTURE(compiler->name());
        Said said;
        CHECK(!compiler->compile(*s, said.log));
        CHECK(said.text.find("kMaxPrivateScalars") != std::string::npos);
    }
}

TEST_CASE("memory: no code has a frame above kMaxFrame_B") {
    const auto reference = create_interpreter_compiler();
    for (const unsigned count : {8u, 100u, 300u, 450u, 700u, 3000u}) {
        CAPTURE(count);
        const auto s = spilling(count);
        const auto expected = reference->compile(*s, {});
        VertexRun want{};
        for (unsigned v = 0; v < kLanes; ++v)
            want.attributes[0][v][0] = std::bit_cast<uint32_t>(float(v));
        VertexRun got = want;
        want.run(*expected);
        for (const auto& compiler : compilers()) {
            CAPTURE(compiler->name());
            Said said;
            const auto compiled = compiler->compile(*s, said.log);
            if (!compiled) {  // one of the tiers refused, and says why
                bool known = false;
                for (const char* why : {"stack frame", "too large", "values at once", "longer than"})
                    known |= said.text.find(why) != std::string::npos;
                CAPTURE(said.text);
                CHECK(known);
                CHECK(count > 300);
                continue;
            }
            CHECK(compiled->frame_B <= kMaxFrame_B);
            CHECK((count < 100 || compiled->interpreted || compiled->frame_B > 0));
            if (count <= 100 && std::string_view(compiler->name()) != "interpreter")
                CHECK_FALSE(compiled->interpreted);
            got.run(*compiled);
            for (unsigned v = 0; v < kLanes; ++v)
                CHECK(got.out[0][v] == want.out[0][v]);
        }
    }
}

TEST_CASE("memory: shaders of texture groups have small frames, too") {
    ir::Shader s(ir::Stage::Fragment);
    ir::Builder b(s);
    Value* sum = b.f32(0);
    for (unsigned n = 0; n < 300; ++n) {
        ir::TexInfo t;
        t.binding = int(n % 3);
        t.count = 1;
        Value* const x = b.fadd(b.load_input(Type::F32, kVarying0, 0), b.f32(float(n / 8)));
        Value* const y =
            b.fadd(b.load_input(Type::F32, kVarying0, 1), n % 40 == 39 ? sum : b.f32(float(n % 5)));
        Value* const coordinates[] = {x, y};
        sum = b.fadd(sum, b.tex(t, coordinates)->result(0));
    }
    b.store_output(0, 0, sum);
    REQUIRE(ir::validate(s) == "");
    for (const auto& compiler : compilers()) {
        CAPTURE(compiler->name());
        Said said;
        const auto compiled = compiler->compile(s, said.log);
        INFO(said.text);
        REQUIRE(compiled);
        CHECK(compiled->frame_B <= kMaxFrame_B);
        if (std::string_view(compiler->name()) != "interpreter") CHECK_FALSE(compiled->interpreted);
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {

/// A small stack with one guard page below it. Below that is other memory.
struct Tight {
    static constexpr size_t kPage_B = 4096, kRoom_B = 2 * kPage_B, kOthers_B = 64 * kPage_B;
    uint8_t* const map = static_cast<uint8_t*>(mmap(
        nullptr, kOthers_B + kPage_B + kRoom_B, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    Tight() {
        REQUIRE(map != MAP_FAILED);
        REQUIRE(mprotect(map + kOthers_B, kPage_B, PROT_NONE) == 0);
    }
    ~Tight() { munmap(map, kOthers_B + kPage_B + kRoom_B); }
    [[nodiscard]] uint8_t* stack() const { return map + kOthers_B + kPage_B; }
    [[nodiscard]] bool others_changed() const {
        return std::any_of(map, map + kOthers_B, [](uint8_t byte) { return byte != 0; });
    }
};

struct TightCall {
    const CompiledShader* shader;
    VertexArgs args;
};
TightCall* g_tight_call;

}  // namespace

TEST_CASE("memory: code with a large frame faults at the guard page and does not skip it") {
    const auto s = spilling(300);
    for (const auto& compiler : compilers()) {
        const auto compiled = compiler->compile(*s, {});
        if (!compiled || compiled->interpreted) continue;
        CAPTURE(compiler->name());
        const bool fits = compiled->frame_B + 2048 < Tight::kRoom_B;
        const Tight tight;
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            std::signal(SIGSEGV, SIG_DFL);
            const rlimit no_core{};
            setrlimit(RLIMIT_CORE, &no_core);
            static float in[4 * 4 * kInStride], out[(kMaxInputs + 8) * 4 * 16];
            static uint32_t ids[16];
            TightCall call{compiled.get(), {}};
            call.args.shader = compiled->self;
            give_memory(&call.args);
            call.args.ids = ids;
            call.args.count = kLanes;
            call.args.in = in;
            call.args.out = out;
            call.args.out_stride = 16;
            g_tight_call = &call;
            ucontext_t here, there;
            getcontext(&there);
            there.uc_stack.ss_sp = tight.stack();
            there.uc_stack.ss_size = Tight::kRoom_B;
            there.uc_link = &here;
            makecontext(
                &there, [] { g_tight_call->shader->vertex(&g_tight_call->args); }, 0);
            swapcontext(&here, &there);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        CHECK_FALSE(tight.others_changed());
        CHECK((fits || (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV)));
    }
}
#endif

}  // namespace terrazzo::soft::test
