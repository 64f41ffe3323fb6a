// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Machine code from the compiler to memory: linking of objects (relocations as the ABI supplements define
// them, worked out by hand), images as bytes, both kinds of mapping, and the cache.
#include <elf.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "drivers/soft/asmjit/tier1.h"
#include "drivers/soft/code/key.h"
#include "drivers/soft/code/object.h"
#include "drivers/soft/code/tiers.h"
#include "drivers/soft/jit/jit.h"
#include "shaders/ir/parse.h"
#include "shaders/passes/gather_info.h"
#include "tests/soft/jit_harness.h"

namespace terrazzo::soft::test {

namespace {

/// A relocatable object with .text, .rodata, and relocations of .text. Symbols: 1 "f" at .text + 4, 2
/// .rodata, 3 "memcpy", 4 "nowhere" (both external).
class Object {
  public:
    Object(uint16_t machine, std::vector<uint8_t> text, std::vector<Elf64_Rela> relocations) {
        Elf64_Ehdr h{};
        std::memcpy(h.e_ident, ELFMAG, SELFMAG);
        h.e_ident[EI_CLASS] = ELFCLASS64;
        h.e_ident[EI_DATA] = ELFDATA2LSB;
        h.e_type = ET_REL;
        h.e_machine = machine;
        h.e_shnum = 6;
        add(&h, sizeof h);
        static const char kNames[] = "\0f\0memcpy\0nowhere";
        const uint8_t rodata[16] = {1, 2, 3, 4};
        Elf64_Sym symbols[5] = {};
        symbols[1].st_name = 1, symbols[1].st_shndx = 1, symbols[1].st_value = 4;
        symbols[2].st_shndx = 2;
        symbols[3].st_name = 3;
        symbols[4].st_name = 10;
        Elf64_Shdr s[6] = {};
        const auto section = [&](unsigned n, uint32_t type, uint64_t flags, const void* data, size_t size) {
            s[n].sh_type = type, s[n].sh_flags = flags, s[n].sh_size = size, s[n].sh_addralign = 16;
            s[n].sh_offset = bytes.size();
            add(data, size);
        };
        section(1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text.data(), text.size());
        section(2, SHT_PROGBITS, SHF_ALLOC, rodata, sizeof rodata);
        section(3, SHT_RELA, 0, relocations.data(), relocations.size() * sizeof(Elf64_Rela));
        section(4, SHT_SYMTAB, 0, symbols, sizeof symbols);
        section(5, SHT_STRTAB, 0, kNames, sizeof kNames);
        s[3].sh_info = 1, s[4].sh_link = 5;
        h.e_shoff = bytes.size();
        add(s, sizeof s);
        std::memcpy(bytes.data(), &h, sizeof h);
    }
    std::vector<uint8_t> bytes;

  private:
    void add(const void* p, size_t size) {
        const size_t at = bytes.size();
        bytes.resize(at + size);
        if (size) std::memcpy(bytes.data() + at, p, size);
    }
};

Elf64_Rela reloc(uint64_t at, uint32_t symbol, uint32_t type, int64_t addend) {
    return {at, ELF64_R_INFO(uint64_t(symbol), type), addend};
}

template <class T>
T read_at(const CodeImage& image, uint32_t at) {
    T v;
    REQUIRE(at + sizeof v <= image.bytes.size());
    std::memcpy(&v, image.bytes.data() + at, sizeof v);
    return v;
}

/// mov $42, %eax; ret
CodeImage forty_two() {
    CodeImage image;
    image.bytes = {0xb8, 42, 0, 0, 0, 0xc3};
    return image;
}

/// gl_Position.x = attribute 0 * factor. A 64-bit operation makes it too complex for the first tier.
std::unique_ptr<ir::Shader> scaling(uint32_t factor) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Vertex);
    ir::Builder b(*s);
    ir::Value* v = b.load_input(ir::Type::I32, 0, 0);
    ir::Value* wide = b.convert(ir::Op::U2U, ir::Type::I64, v);
    wide = b.alu(ir::Op::IMul, wide, b.constant(ir::Type::I64, factor));
    v = b.convert(ir::Op::U2U, ir::Type::I32, wide);
    b.store_output(uint32_t(ir::VaryingSlot::Position), 0, v);
    ir::gather_info(*s);
    return s;
}

void check_scaling(const CompiledShader& c, uint32_t factor) {
    VertexRun run;
    for (unsigned v = 0; v < kLanes; ++v)
        run.attributes[0][v][0] = v + 1;
    run.run(c);
    for (unsigned v = 0; v < kLanes; ++v)
        CHECK(run.out[0][v] == (v + 1) * factor);
}

struct Folder {
    std::string path = (std::filesystem::temp_directory_path() / "terrazzo-code-XXXXXX").string();
    Folder() { REQUIRE(mkdtemp(path.data())); }
    ~Folder() { std::filesystem::remove_all(path); }
    [[nodiscard]] std::shared_ptr<shaders::ShaderCache> cache() const {
        return std::make_shared<shaders::ShaderCache>(shaders::CacheOptions{0, uint64_t(1) << 20, path});
    }
};

}  // namespace

TEST_CASE("code: x86-64 relocations") {
    // Text is at 0, rodata at 32. The linker adds the slot of memcpy at 48 and its stub at 56.
    const Object o(EM_X86_64, std::vector<uint8_t>(32),
                   {reloc(4, 2, R_X86_64_PC32, -4), reloc(12, 3, R_X86_64_PLT32, -4),
                    reloc(20, 3, R_X86_64_REX_GOTPCRELX, -4), reloc(24, 2, R_X86_64_64, 8)});
    CodeImage image;
    REQUIRE(link_object(o.bytes, "f", &image) == nullptr);
    CHECK(image.entry_B == 4);
    CHECK(image.bytes.size() == 64);
    CHECK(read_at<int32_t>(image, 4) == 32 - 4 - 4);
    CHECK(read_at<int32_t>(image, 12) == 56 - 4 - 12);
    CHECK(read_at<int32_t>(image, 20) == 48 - 4 - 20);
    CHECK(read_at<uint16_t>(image, 56) == 0x25ff);  // jmp *rel(%rip)
    CHECK(read_at<int32_t>(image, 58) == 48 - 62);
    REQUIRE(image.slots.size() == 2);
    CHECK(image.slots[0].offset_B == 48);
    CHECK(image.slots[0].symbol == "memcpy");
    CHECK(image.slots[1].offset_B == 24);
    CHECK(image.slots[1].symbol.empty());
    CHECK(image.slots[1].addend == 40);
}

TEST_CASE("code: AArch64 relocations") {
    std::vector<uint8_t> text(32);
    const auto word = [&](size_t at, uint32_t v) { std::memcpy(text.data() + at, &v, sizeof v); };
    word(4, 0x90000000);   // adrp x0
    word(8, 0x3dc00000);   // ldr q0, [x0]
    word(12, 0x94000000);  // bl
    word(16, 0x91000000);  // add x0, x0, #0
    const Object o(
        EM_AARCH64, text,
        {reloc(4, 2, R_AARCH64_ADR_PREL_PG_HI21, 0x3000), reloc(8, 2, R_AARCH64_LDST128_ABS_LO12_NC, 0),
         reloc(12, 3, R_AARCH64_CALL26, 0), reloc(16, 2, R_AARCH64_ADD_ABS_LO12_NC, 4)});
    CodeImage image;
    REQUIRE(link_object(o.bytes, "f", &image) == nullptr);
    CHECK(read_at<uint32_t>(image, 4) == 0xf0000000);   // three pages later
    CHECK(read_at<uint32_t>(image, 8) == 0x3dc00800);   // [x0, #32]
    CHECK(read_at<uint32_t>(image, 12) == 0x9400000b);  // from 12 to 56
    CHECK(read_at<uint32_t>(image, 16) == 0x91009000);  // #36
    CHECK(read_at<uint32_t>(image, 56) == 0x58ffffd0);  // ldr x16, 8 bytes back
    CHECK(read_at<uint32_t>(image, 60) == 0xd61f0200);  // br x16
}

TEST_CASE("code: invalid objects are refused") {
    CodeImage image;
    const Object good(EM_X86_64, std::vector<uint8_t>(32), {reloc(4, 2, R_X86_64_PC32, -4)});
    CHECK(link_object(good.bytes, "g", &image) != nullptr);
    CHECK(link_object(Object(EM_X86_64, std::vector<uint8_t>(32), {reloc(4, 2, R_X86_64_32, 0)}).bytes, "f",
                      &image) != nullptr);
    CHECK(link_object(Object(EM_X86_64, std::vector<uint8_t>(32), {reloc(29, 2, R_X86_64_PC32, 0)}).bytes,
                      "f", &image) != nullptr);
    CHECK(link_object(Object(EM_X86_64, std::vector<uint8_t>(32), {reloc(4, 9, R_X86_64_PC32, 0)}).bytes, "f",
                      &image) != nullptr);
    CHECK(link_object(Object(EM_PPC64, std::vector<uint8_t>(32), {}).bytes, "f", &image) != nullptr);
    // Truncated anywhere: an error, or it links, but no read outside.
    for (size_t size = 0; size < good.bytes.size(); ++size) {
        const std::vector<uint8_t> cut(good.bytes.begin(), good.bytes.begin() + ptrdiff_t(size));
        CHECK(link_object(cut, "f", &image) != nullptr);
    }
}

TEST_CASE("code: an image is restored from its bytes") {
    CodeImage image = forty_two(), back;
    image.bytes.resize(24);
    image.entry_B = 3;
    image.slots = {{8, "memset", 0}, {16, "", 5}};
    std::vector<uint8_t> bytes;
    append_image(image, &bytes);
    REQUIRE(read_image(bytes, &back));
    CHECK(back.bytes == image.bytes);
    CHECK(back.entry_B == 3);
    REQUIRE(back.slots.size() == 2);
    CHECK(back.slots[0].symbol == "memset");
    CHECK(back.slots[1].addend == 5);
    for (size_t size = 0; size < bytes.size(); ++size)
        CHECK_FALSE(read_image(std::span(bytes).first(size), &back));
    bytes[0] = 8;  // a slot would be outside
    CHECK_FALSE(read_image(bytes, &back));
}

TEST_CASE("code: symbols of the runtime") {
    CHECK(find_runtime_symbol("memcpy") == reinterpret_cast<const void*>(&::memcpy));
    const auto name = [](ir::Op op, ir::Type type) {
        return "kernel_" + std::to_string(unsigned(op)) + '_' + std::to_string(unsigned(type)) + '_' +
               std::to_string(unsigned(type));
    };
    CHECK(find_runtime_symbol(name(ir::Op::IAdd, ir::Type::I64)) != nullptr);
    CHECK(find_runtime_symbol(name(ir::Op::Loop, ir::Type::I64)) == nullptr);
    CHECK(kernel_symbol(ir::Op::IAdd, ir::Type::I64, ir::Type::I64) == name(ir::Op::IAdd, ir::Type::I64));
    for (const char* known : {"sample_indexed", "texture_size", "texture_size_indexed", "run_kernel"})
        CHECK(find_runtime_symbol(known) != nullptr);
    for (const char* bad : {"", "system", "kernel_", "kernel_1_2", "kernel_1_2_3_4", "kernel_9999_1_1"})
        CHECK(find_runtime_symbol(bad) == nullptr);
}

#if defined(__x86_64__)
TEST_CASE("code: runs from private memory and from a memory file") {
    CodeImage image = forty_two();
    for (CodeMapping how : {CodeMapping::Any, CodeMapping::Private, CodeMapping::File}) {
        std::string error;
        auto memory = load_image(image, &error, how);
        REQUIRE(memory);
        CHECK(reinterpret_cast<int (*)()>(memory->at(image.entry_B))() == 42);
    }
    image.bytes.resize(16);
    image.slots = {{8, "no_such_function", 0}};
    std::string error;
    CHECK_FALSE(load_image(image, &error));
    CHECK(error == "the code calls no_such_function, which is not known");
}
#endif

TEST_CASE("code: the key depends on the shader's content and on the compiler") {
    const auto key = [](const ir::Shader& s, const char* maker = "m") {
        return code_key(ir::hash_content(ir::write_binary(s).content), maker).hex();
    };
    const auto one = scaling(3), other = scaling(4);
    CHECK(key(*one) == key(*scaling(3)));
    CHECK(key(*one) != key(*other));
    CHECK(key(*one) != key(*one, "n"));
    // A shader that was stored as text has other value numbers, but the same key.
    const auto read = ir::parse(ir::print(*other));
    REQUIRE(read.shader);
    ir::gather_info(*read.shader);
    CHECK(key(*read.shader) == key(*other));
    other->body->first->flags ^= ir::instr_flag::kExact;
    CHECK(key(*read.shader) != key(*other));
}

/// gl_Position.x = attribute 0 * factor, in operations that the first tier supports.
std::unique_ptr<ir::Shader> scaling_16(uint32_t factor) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Vertex);
    ir::Builder b(*s);
    ir::Value* v = b.convert(ir::Op::U2U, ir::Type::I16, b.load_input(ir::Type::I32, 0, 0));
    v = b.alu(ir::Op::IMul, v, b.constant(ir::Type::I16, factor));
    b.store_output(uint32_t(ir::VaryingSlot::Position), 0, b.convert(ir::Op::U2U, ir::Type::I32, v));
    ir::gather_info(*s);
    return s;
}

TEST_CASE("code: the first tier's code is cached, too, and a hit needs no IR") {
    const Folder folder;
    const auto shader = std::make_shared<ir::StoredShader>(scaling_16(11));
    // Only the beginning of the content: code that reads the IR would fail.
    ir::Binary head = shader->binary();
    for (const bool is_first : {true, false}) {
        const auto cache = folder.cache();
        const auto compiler = create_tier1_compiler({cache, CodeMapping::Any});
        if (!compiler) return;  // built without asmjit, or the CPU has no AVX2
        const auto compiled = compiler->make(shader, {});
        REQUIRE(compiled);
        check_scaling(*compiled, 11);
        CHECK(compiled->inputs_read == 1);
        CHECK(cache->counts().disk_hits == (is_first ? 0 : 1));
        CHECK(cache->counts().misses == (is_first ? 1 : 0));
        CHECK((compiler->find(*shader) != nullptr));
    }
    const auto cache = folder.cache();
    auto second = create_jit_compiler({cache, {}, CodeMapping::Any});
    if (!second) second = create_interpreter_compiler();
    const auto compiler =
        create_tiered_compiler(create_tier1_compiler({cache, CodeMapping::Any}), std::move(second), {});
    head.content.resize(head.content.size() - 3);
    const auto broken = ir::StoredShader::of(head);
    REQUIRE(broken);
    CHECK(broken->get() == nullptr);
    CHECK_FALSE(compiler->make(broken, {}));  // another content: there is no code, and no IR to compile
    const auto again = compiler->make(ir::StoredShader::of(shader->binary()), {});
    REQUIRE(again);
    check_scaling(again->current(), 11);
}

TEST_CASE("code: another process finds the code in the cache") {
    const Folder folder;
    const auto shader = scaling(7);
    for (const bool is_first : {true, false}) {
        const auto cache = folder.cache();
        const auto compiler = create_jit_compiler({cache, {}, CodeMapping::Any});
        if (!compiler) return;  // built without LLVM
        const auto compiled = compiler->compile(*shader, {});
        REQUIRE(compiled);
        check_scaling(*compiled, 7);
        CHECK(compiled->inputs_read == 1);
        CHECK(compiled->slot_count == 1);
        CHECK(cache->counts().disk_hits == (is_first ? 0 : 1));
        CHECK(cache->counts().misses == (is_first ? 1 : 0));
    }
}

TEST_CASE("code: a damaged entry of the cache is a miss") {
    const Folder folder;
    const auto shader = scaling(9);
    for (unsigned round = 0; round < 3; ++round) {
        const auto cache = folder.cache();
        const auto compiler = create_jit_compiler({cache, {}, CodeMapping::Any});
        if (!compiler) return;
        const auto compiled = compiler->compile(*shader, {});
        REQUIRE(compiled);
        check_scaling(*compiled, 9);
        CHECK(cache->counts().disk_hits == 0);
        for (const auto& f : std::filesystem::recursive_directory_iterator(folder.path)) {
            if (!f.is_regular_file()) continue;
            std::filesystem::permissions(f.path(), std::filesystem::perms::owner_all);
            FILE* const file = std::fopen(f.path().c_str(), "r+b");
            REQUIRE(file);
            std::fseek(file, round == 0 ? 0 : -3, round == 0 ? SEEK_SET : SEEK_END);
            std::fputc(round == 0 ? 'X' : 0x55, file);
            std::fclose(file);
        }
    }
}

}  // namespace terrazzo::soft::test
