// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: System V ABI, "Object Files" (generic), and its supplements: AMD64 ("Relocation Types"), ELF for
// the Arm 64-bit Architecture ("Relocation"). Letters as there: S symbol, A addend, P place.
#include "drivers/soft/code/object.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace terrazzo::soft {

namespace {

constexpr uint32_t kNowhere = ~0u;

struct Target {
    uint32_t at_B = kNowhere;  // the offset in the image
    std::string name;          // its name, if it is not in the object
};

class Linker {
  public:
    Linker(std::span<const uint8_t> object, CodeImage* image) : object_(object), image_(*image) {}
    const char* link(std::string_view entry);
    const char* read_frame(uint32_t* frame_B) const;

  private:
    template <class T>
    bool read(uint64_t offset_B, T* v) const {
        if (offset_B > object_.size() || object_.size() - offset_B < sizeof(T)) return false;
        std::memcpy(v, object_.data() + offset_B, sizeof(T));
        return true;
    }
    std::string text(const Elf64_Shdr& strings, uint32_t at) const;
    const char* read_sections();
    const char* place_sections();
    bool target(uint32_t symbol, Target* out) const;
    const char* relocate(const Elf64_Shdr& table);
    const char* relocate_x86(uint32_t type, uint32_t place, const Target& t, int64_t addend);
    const char* relocate_arm(uint32_t type, uint32_t place, const Target& t, int64_t addend);
    uint32_t slot(const Target& t);
    uint32_t stub(const Target& t);
    uint32_t grow(size_t size_B, size_t align_B);
    template <class T>
    void put(uint32_t place, T v) {
        std::memcpy(image_.bytes.data() + place, &v, sizeof v);
    }
    uint32_t word(uint32_t place) const {
        uint32_t v;
        std::memcpy(&v, image_.bytes.data() + place, sizeof v);
        return v;
    }

    std::span<const uint8_t> object_;
    CodeImage& image_;
    uint16_t machine_ = 0;
    std::vector<Elf64_Shdr> sections_;
    std::vector<uint32_t> at_B_;  // by section: its offset in the image
    Elf64_Shdr symbols_{}, symbol_names_{}, section_names_{};
    std::map<std::string, uint32_t> slots_, stubs_;
};

std::string Linker::text(const Elf64_Shdr& strings, uint32_t at) const {
    if (at >= strings.sh_size) return {};
    const char* p = reinterpret_cast<const char*>(object_.data() + strings.sh_offset + at);
    return std::string(p, strnlen(p, strings.sh_size - at));
}

const char* Linker::read_sections() {
    Elf64_Ehdr h;
    if (!read(0, &h) || std::memcmp(h.e_ident, ELFMAG, SELFMAG) != 0) return "this is no object";
    if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB || h.e_type != ET_REL)
        return "this is no relocatable object of 64 bits";
    machine_ = h.e_machine;
    if (machine_ != EM_X86_64 && machine_ != EM_AARCH64) return "objects of this machine cannot be linked";
    for (unsigned n = 0; n < h.e_shnum; ++n) {
        Elf64_Shdr s;
        if (!read(h.e_shoff + uint64_t(n) * sizeof s, &s)) return "the object is cut short";
        const bool stored = s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL;
        if (stored && (s.sh_offset > object_.size() || object_.size() - s.sh_offset < s.sh_size))
            return "the object is cut short";
        sections_.push_back(s);
    }
    if (h.e_shstrndx < sections_.size()) section_names_ = sections_[h.e_shstrndx];
    for (const Elf64_Shdr& s : sections_) {
        if (s.sh_type != SHT_SYMTAB) continue;
        if (s.sh_link >= sections_.size()) return "the object's symbols have no names";
        symbols_ = s;
        symbol_names_ = sections_[s.sh_link];
    }
    return nullptr;
}

uint32_t Linker::grow(size_t size_B, size_t align_B) {
    const size_t at = (image_.bytes.size() + align_B - 1) / align_B * align_B;
    image_.bytes.resize(at + size_B);
    return uint32_t(at);
}

const char* Linker::place_sections() {
    constexpr uint64_t kMost_B = uint64_t(64) << 20, kMostAlign_B = 4096;
    at_B_.assign(sections_.size(), kNowhere);
    for (size_t n = 0; n < sections_.size(); ++n) {
        const Elf64_Shdr& s = sections_[n];
        // Unwind tables are left out: nothing unwinds through shaders.
        if (!(s.sh_flags & SHF_ALLOC) || !s.sh_size || s.sh_type == SHT_X86_64_UNWIND) continue;
        if (s.sh_flags & (SHF_WRITE | SHF_TLS) || s.sh_type != SHT_PROGBITS) return "a section is writable";
        if (s.sh_size > kMost_B || s.sh_addralign > kMostAlign_B) return "a section is too large";
        at_B_[n] = grow(s.sh_size, s.sh_addralign ? s.sh_addralign : 1);
        std::memcpy(image_.bytes.data() + at_B_[n], object_.data() + s.sh_offset, s.sh_size);
    }
    return nullptr;
}

bool Linker::target(uint32_t symbol, Target* out) const {
    Elf64_Sym s;
    if (symbol >= symbols_.sh_size / sizeof s || !read(symbols_.sh_offset + symbol * sizeof s, &s))
        return false;
    if (s.st_shndx == SHN_UNDEF) {
        out->name = text(symbol_names_, s.st_name);
        return !out->name.empty();
    }
    if (s.st_shndx >= sections_.size() || at_B_[s.st_shndx] == kNowhere) return false;
    if (s.st_value > sections_[s.st_shndx].sh_size) return false;
    out->at_B = at_B_[s.st_shndx] + uint32_t(s.st_value);
    return true;
}

/// Eight bytes with the target's address.
uint32_t Linker::slot(const Target& t) {
    const std::string key = t.at_B == kNowhere ? t.name : "@" + std::to_string(t.at_B);
    const auto [it, is_new] = slots_.try_emplace(key, 0);
    if (is_new) {
        it->second = grow(8, 8);
        image_.slots.push_back({it->second, t.name, t.at_B == kNowhere ? 0 : int64_t(t.at_B)});
    }
    return it->second;
}

/// Code that jumps to a function at any distance.
uint32_t Linker::stub(const Target& t) {
    if (t.at_B != kNowhere) return t.at_B;
    if (const auto it = stubs_.find(t.name); it != stubs_.end()) return it->second;
    const uint32_t address = slot(t);
    uint32_t at;
    if (machine_ == EM_X86_64) {
        at = grow(8, 8);  // jmp *address(%rip); two bytes of int3
        put(at, uint16_t(0x25ff));
        put(at + 2, int32_t(address) - int32_t(at + 6));
        put(at + 6, uint16_t(0xcccc));
    } else {
        at = grow(8, 8);  // ldr x16, address; br x16
        put(at, 0x58000010u | (uint32_t((int32_t(address) - int32_t(at)) >> 2) & 0x7ffff) << 5);
        put(at + 4, 0xd61f0200u);
    }
    return stubs_[t.name] = at;
}

const char* Linker::relocate_x86(uint32_t type, uint32_t place, const Target& t, int64_t a) {
    switch (type) {
        case R_X86_64_NONE:
            return nullptr;
        case R_X86_64_64:
            image_.slots.push_back({place, t.name, t.at_B == kNowhere ? a : a + t.at_B});
            return nullptr;
        case R_X86_64_PC64:
            if (t.at_B == kNowhere) return "a far object is used";
            put(place, int64_t(t.at_B) + a - int64_t(place));
            return nullptr;
        case R_X86_64_PC32:
        case R_X86_64_PLT32:
            put(place, int32_t(int64_t(stub(t)) + a - int64_t(place)));
            return nullptr;
        case R_X86_64_GOTPCREL:
        case R_X86_64_GOTPCRELX:
        case R_X86_64_REX_GOTPCRELX:
            put(place, int32_t(int64_t(slot(t)) + a - int64_t(place)));
            return nullptr;
        default:
            return "the object has a relocation of an unknown kind";
    }
}

const char* Linker::relocate_arm(uint32_t type, uint32_t place, const Target& t, int64_t a) {
    const bool got = type == R_AARCH64_ADR_GOT_PAGE || type == R_AARCH64_LD64_GOT_LO12_NC;
    const bool branch = type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26;
    if (type == R_AARCH64_ABS64) {
        image_.slots.push_back({place, t.name, t.at_B == kNowhere ? a : a + t.at_B});
        return nullptr;
    }
    const uint32_t to = got ? slot(t) : branch ? stub(t) : t.at_B;
    if (to == kNowhere) return "a far object is used";
    const int64_t s = int64_t(to) + a, p = int64_t(place);
    const auto low = [&](unsigned shift) { put(place, word(place) | uint32_t((s & 0xfff) >> shift) << 10); };
    switch (type) {
        case R_AARCH64_NONE:
            return nullptr;
        case R_AARCH64_PREL32:
            put(place, int32_t(s - p));
            return nullptr;
        case R_AARCH64_PREL64:
            put(place, s - p);
            return nullptr;
        case R_AARCH64_CALL26:
        case R_AARCH64_JUMP26:
            put(place, word(place) | (uint32_t((s - p) >> 2) & 0x3ffffff));
            return nullptr;
        case R_AARCH64_ADR_PREL_PG_HI21:
        case R_AARCH64_ADR_GOT_PAGE: {
            // Images begin at a page boundary.
            const uint32_t pages = uint32_t((s >> 12) - (p >> 12));
            put(place, word(place) | (pages & 3) << 29 | ((pages >> 2) & 0x7ffff) << 5);
            return nullptr;
        }
        case R_AARCH64_ADD_ABS_LO12_NC:
        case R_AARCH64_LDST8_ABS_LO12_NC:
            return low(0), nullptr;
        case R_AARCH64_LDST16_ABS_LO12_NC:
            return low(1), nullptr;
        case R_AARCH64_LDST32_ABS_LO12_NC:
            return low(2), nullptr;
        case R_AARCH64_LDST64_ABS_LO12_NC:
        case R_AARCH64_LD64_GOT_LO12_NC:
            return low(3), nullptr;
        case R_AARCH64_LDST128_ABS_LO12_NC:
            return low(4), nullptr;
        default:
            return "the object has a relocation of an unknown kind";
    }
}

const char* Linker::relocate(const Elf64_Shdr& table) {
    if (table.sh_info >= sections_.size() || at_B_[table.sh_info] == kNowhere) return nullptr;
    const uint64_t size_B = sections_[table.sh_info].sh_size;
    for (uint64_t n = 0; n < table.sh_size / sizeof(Elf64_Rela); ++n) {
        Elf64_Rela r;
        Target t;
        if (!read(table.sh_offset + n * sizeof r, &r)) return "the object is cut short";
        const uint32_t type = uint32_t(ELF64_R_TYPE(r.r_info));
        const bool wide = type == R_X86_64_64 || type == R_X86_64_PC64 || type == R_AARCH64_ABS64 ||
                          type == R_AARCH64_PREL64;
        if (r.r_offset > size_B || size_B - r.r_offset < (wide ? 8 : 4))
            return "a relocation is outside its section";
        if (!target(uint32_t(ELF64_R_SYM(r.r_info)), &t)) return "a relocation has no target";
        const uint32_t place = at_B_[table.sh_info] + uint32_t(r.r_offset);
        const char* const problem = machine_ == EM_X86_64 ? relocate_x86(type, place, t, r.r_addend)
                                                          : relocate_arm(type, place, t, r.r_addend);
        if (problem) return problem;
    }
    return nullptr;
}

const char* Linker::link(std::string_view entry) {
    if (const char* problem = read_sections()) return problem;
    if (const char* problem = place_sections()) return problem;
    for (const Elf64_Shdr& s : sections_) {
        if (s.sh_type == SHT_REL) return "the object has relocations without addends";
        if (s.sh_type != SHT_RELA) continue;
        if (const char* problem = relocate(s)) return problem;
    }
    for (uint32_t n = 0; n < symbols_.sh_size / sizeof(Elf64_Sym); ++n) {
        Elf64_Sym s;
        Target t;
        if (!read(symbols_.sh_offset + n * sizeof s, &s) || s.st_shndx == SHN_UNDEF) continue;
        if (text(symbol_names_, s.st_name) != entry || !target(n, &t)) continue;
        image_.entry_B = t.at_B;
        return t.at_B < image_.bytes.size() ? nullptr : "the function is empty";
    }
    return "the object lacks the function";
}

/// Reads LLVM's section .stack_sizes ("Code Generator", emission of function stack size information): for
/// each function its address in eight bytes and the size of its frame as ULEB128.
const char* Linker::read_frame(uint32_t* frame_B) const {
    constexpr const char* kUnknown = "the object does not tell the size of its stack frames";
    uint64_t largest_B = 0;
    bool any = false;
    for (const Elf64_Shdr& s : sections_) {
        if (text(section_names_, s.sh_name) != ".stack_sizes") continue;
        for (uint64_t at = 0; at < s.sh_size; any = true) {
            at += sizeof(uint64_t);
            uint64_t size_B = 0;
            uint8_t byte = 0x80;
            for (unsigned shift = 0; byte & 0x80; shift += 7, ++at) {
                if (at >= s.sh_size || shift > 28 || !read(s.sh_offset + at, &byte)) return kUnknown;
                size_B |= uint64_t(byte & 0x7f) << shift;
            }
            largest_B = std::max(largest_B, size_B);
        }
    }
    if (!any || largest_B > UINT32_MAX) return kUnknown;
    *frame_B = uint32_t(largest_B);
    return nullptr;
}

}  // namespace

const char* link_object(std::span<const uint8_t> object, std::string_view entry, CodeImage* image,
                        uint32_t* frame_B) {
    CodeImage fresh;
    Linker linker(object, &fresh);
    const char* problem = linker.link(entry);
    if (!problem && frame_B) problem = linker.read_frame(frame_B);
    if (!problem) *image = std::move(fresh);
    return problem;
}

}  // namespace terrazzo::soft
