// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Two tiers: which compiler's code runs when, and that shaders, compilers and forks may end in any order.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "drivers/soft/code/tiers.h"
#include "tests/soft/jit_harness.h"

namespace terrazzo::soft::test {

namespace {

/// The actions of a fake compiler, and whether it may act.
struct Record {
    std::atomic<int> compiled = 0, found = 0, alive = 0;
    std::atomic<bool> gate = true;
    bool fails = false, interprets = false, has_cached = false;
};

class FakeShader final : public CompiledShader {
  public:
    FakeShader(Record& r, int id) : record_(r) {
        ++record_.alive;
        slot_count = 7;
        self = reinterpret_cast<const void*>(uintptr_t(id));
        interpreted = r.interprets;
    }
    ~FakeShader() override { --record_.alive; }

  private:
    Record& record_;
};

class FakeCompiler final : public ShaderCompiler {
  public:
    FakeCompiler(Record& r, int id) : record_(r), id_(id) {}
    std::unique_ptr<CompiledShader> compile(const ir::Shader& shader, const pipe::Log&) override {
        CHECK(shader.stage == ir::Stage::Vertex);
        while (!record_.gate)
            std::this_thread::yield();
        ++record_.compiled;
        return record_.fails ? nullptr : std::make_unique<FakeShader>(record_, id_);
    }
    std::unique_ptr<CompiledShader> find(const ir::StoredShader&) override {
        ++record_.found;
        return record_.has_cached ? std::make_unique<FakeShader>(record_, id_) : nullptr;
    }
    const char* name() const override { return id_ == 1 ? "first" : "second"; }

  private:
    Record& record_;
    const int id_;
};

struct Tiers {
    explicit Tiers(uint32_t draws = 3, bool background = true)
        : compiler(create_tiered_compiler(std::make_unique<FakeCompiler>(first, 1),
                                          std::make_unique<FakeCompiler>(second, 2), {draws, background})) {}
    Record first, second;
    std::unique_ptr<ShaderCompiler> compiler;
    ir::Shader shader{ir::Stage::Vertex};
    [[nodiscard]] std::unique_ptr<CompiledShader> compile() { return compiler->compile(shader, {}); }
};

int tier_of(const CompiledShader& s) {
    return int(reinterpret_cast<uintptr_t>(s.current().self));
}

bool becomes(const CompiledShader& s, int tier) {
    for (int n = 0; n < 2000 && tier_of(s) != tier; ++n)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return tier_of(s) == tier;
}

}  // namespace

TEST_CASE("tiers: the second compiles shaders that are used often") {
    Tiers t(3, false);
    CHECK(std::string(t.compiler->name()) == "second");
    const auto s = t.compile();
    REQUIRE(s);
    CHECK(s->slot_count == 7);
    CHECK(tier_of(*s) == 1);
    CHECK(tier_of(*s) == 1);
    CHECK(t.second.compiled == 0);
    (void)tier_of(*s);
    CHECK(t.second.compiled == 1);
    CHECK(tier_of(*s) == 2);
    CHECK(t.second.compiled == 1);
}

TEST_CASE("tiers: the second works in the background") {
    Tiers t;
    t.second.gate = false;
    const auto s = t.compile();
    for (int n = 0; n < 10; ++n)
        CHECK(tier_of(*s) == 1);
    const CompiledShader& before = s->current();
    t.second.gate = true;
    CHECK(becomes(*s, 2));
    CHECK(reinterpret_cast<uintptr_t>(before.self) == 1);  // still mapped: a draw may be using it
    CHECK(t.second.compiled == 1);
}

TEST_CASE("tiers: cached code is used at once") {
    Tiers cached;
    cached.second.has_cached = true;
    CHECK(tier_of(*cached.compile()) == 2);
    CHECK(cached.first.compiled == 0);
}

TEST_CASE("tiers: shaders that the first cannot compile are interpreted until the second has compiled them") {
    Tiers t;
    t.first.fails = true;
    t.second.gate = false;
    const auto s = t.compile();  // would not return if the second compiled on this thread
    REQUIRE(s);
    CHECK(t.second.compiled == 0);
    CHECK(bool(s->vertex));
    CHECK(&s->current() == s.get());
    t.second.gate = true;
    CHECK(becomes(*s, 2));
    CHECK(t.second.compiled == 1);
    SUBCASE("and forever if the second cannot compile them either") {
        t.second.fails = true;
        const auto other = t.compile();
        REQUIRE(other);
        while (t.second.compiled < 2) {
            (void)other->current();
            std::this_thread::yield();
        }
        CHECK(&other->current() == other.get());
    }
}

TEST_CASE("tiers: without a first tier the interpreter is used") {
    Record second;
    second.gate = false;
    const auto compiler = create_tiered_compiler(nullptr, std::make_unique<FakeCompiler>(second, 2), {});
    const auto s = compiler->compile(ir::Shader(ir::Stage::Vertex), {});
    REQUIRE(s);
    CHECK(second.compiled == 0);
    CHECK(&s->current() == s.get());
    second.gate = true;
    CHECK(becomes(*s, 2));
}

TEST_CASE("tiers: code that is no better is not used") {
    for (bool interprets : {false, true}) {
        Tiers t(1, false);
        t.second.fails = !interprets;
        t.second.interprets = interprets;
        const auto s = t.compile();
        for (int n = 0; n < 5; ++n)
            CHECK(tier_of(*s) == 1);
        CHECK(t.second.compiled == 1);
    }
}

TEST_CASE("tiers: shaders and compilers end in any order") {
    SUBCASE("waiting shaders are removed with the compiler, existing code stays") {
        Tiers t(1);
        t.second.gate = false;
        std::vector<std::unique_ptr<CompiledShader>> shaders;
        for (int n = 0; n < 10; ++n) {
            shaders.push_back(t.compile());
            (void)tier_of(*shaders.back());
        }
        t.second.gate = true;
        t.compiler.reset();
        CHECK(t.second.compiled <= 10);
        for (const auto& s : shaders)
            CHECK(tier_of(*s) >= 1);
        shaders.clear();
        CHECK(t.first.alive == 0);
        CHECK(t.second.alive == 0);
    }
    SUBCASE("a destroyed shader is not compiled") {
        Tiers t(1);
        t.second.gate = false;
        auto blocks = t.compile(), gone = t.compile();
        (void)tier_of(*blocks);
        (void)tier_of(*gone);
        gone.reset();
        t.second.gate = true;
        CHECK(becomes(*blocks, 2));
        auto last = t.compile();
        CHECK(becomes(*last, 2));
        CHECK(t.second.compiled == 2);
    }
    SUBCASE("a fork's child keeps its code and ends") {
        Tiers t(1);
        const auto s = t.compile();
        CHECK(becomes(*s, 2));
        const auto other = t.compile();
        const pid_t child = fork();
        if (child == 0) {
            for (int n = 0; n < 5; ++n)
                if (tier_of(*other) != 1) _exit(1);
            t.compiler.reset();
            _exit(tier_of(*s) == 2 ? 0 : 2);
        }
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(status == 0);
        CHECK(becomes(*other, 2));
    }
}

}  // namespace terrazzo::soft::test
