// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions of lir.h as text. It is the assembler's text with words in place of registers and "_" for an
// absent source, followed by the data that machine code does not have:
//     BLEND... also r4:r5:r6:r7 calls
//     BRANCHZ... always -> block2
#include "drivers/common/backend/text.h"

#include <cstring>

#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

namespace {

constexpr const char *kAlso = " also ", *kCalls = " calls", *kAlways = " always", *kTarget = " -> block";
constexpr unsigned kRegisters = 64;

/// Whether an operand's name may begin at text[at]: a register's, a word's, or none.
bool begins_name(std::string_view text, size_t at) {
    if (!at || std::string_view(" @:^").find(text[at - 1]) == std::string_view::npos) return false;
    if (text[at] == '%' || text[at] == '_') return true;
    return text[at] == 'r' && at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9';
}

void append_run(const Function& f, uint32_t word, unsigned count, std::string* out) {
    for (unsigned k = 0; k < count; k++) {
        if (k) *out += ":";
        backend::append_word(f, word + k, out);
    }
}

/// The registers that represent words while a line is assembled. The words of a node have consecutive
/// registers from an even one, since the assembler checks runs.
class Places {
  public:
    explicit Places(const Function& f) : f_(f) { word_.fill(kNoWord); }
    /// Must be called for all registers that the line names, before add().
    void reserve(uint32_t word) { word_[f_.fixed_unit(word)] = word; }
    /// The register that represents the word. kNoWord: an absent source. Returns kRegisters if no register is
    /// left.
    unsigned add(uint32_t word) {
        if (word != kNoWord && f_.is_fixed(word)) return f_.fixed_unit(word);
        const uint32_t first = word == kNoWord ? word : f_.node(word).first;
        const uint32_t count = word == kNoWord ? 1 : f_.node(word).count;
        for (unsigned at = 0; at < kRegisters; at++)
            if (word != kNoWord && word_[at] == word) return at;
        for (unsigned at = 0; at + count <= kRegisters; at += 2) {
            bool free = true;
            for (unsigned k = 0; k < count; k++)
                free &= word_[at + k] == kNoWord && !(none_ >> (at + k) & 1);
            if (!free) continue;
            if (word == kNoWord) return none_ |= 1ull << at, at;
            for (unsigned k = 0; k < count; k++)
                word_[at + k] = first + k;
            return at + (word - first);
        }
        return kRegisters;
    }
    /// The word that a register represents; kNoWord: none.
    [[nodiscard]] uint32_t word(unsigned reg) const { return word_[reg]; }

  private:
    const Function& f_;
    std::array<uint32_t, kRegisters> word_;
    uint64_t none_ = 0;
};

/// The line with words replaced by registers.
bool name_registers(Function& f, std::string_view line, Places& places, std::string* out, std::string* why) {
    const auto for_each_name = [&](const auto& call) {
        for (size_t at = 0; at < line.size();) {
            if (!begins_name(line, at)) {
                call(line.substr(at, 1), nullptr);
                at++;
                continue;
            }
            std::string_view rest = line.substr(at);
            uint32_t word = kNoWord;
            if (!backend::take_prefix(&rest, "_") && !backend::take_word(f, &rest, &word)) return false;
            call(line.substr(at, rest.size()), &word);
            at = line.size() - rest.size();
        }
        return true;
    };
    bool fits = true;
    const bool good = for_each_name([&](std::string_view, const uint32_t* word) {
                          if (word && *word != kNoWord && f.is_fixed(*word)) places.reserve(*word);
                      }) &&
                      for_each_name([&](std::string_view text, const uint32_t* word) {
                          const unsigned reg = word ? places.add(*word) : 0;
                          fits &= reg < kRegisters;
                          *out += word ? "r" + std::to_string(reg) : std::string(text);
                      });
    if (good && fits) return true;
    *why = good ? "too many words" : "no word, or one that its node does not have";
    return false;
}

/// Parses the suffixes after the assembler's text, from the last to the first.
bool take_rest(Function& f, std::string_view* line, Inst* out) {
    if (const size_t at = line->find(kTarget); at != std::string_view::npos) {
        std::string_view number = line->substr(at + std::strlen(kTarget));
        uint32_t target = 0;
        if (!backend::take_number(&number, &target) || !number.empty() || target > 0xffff) return false;
        out->target = int32_t(target);
        *line = line->substr(0, at);
    }
    const auto take_end = [&](std::string_view end) {
        const bool there = line->ends_with(end);
        if (there) line->remove_suffix(end.size());
        return there;
    };
    out->always = take_end(kAlways);
    out->calls = take_end(kCalls);
    const size_t at = line->find(kAlso);
    if (at == std::string_view::npos) return true;
    std::string_view run = line->substr(at + std::strlen(kAlso));
    *line = line->substr(0, at);
    do {
        uint32_t word = 0;
        if (!backend::take_word(f, &run, &word)) return false;
        if (!out->also_read_count++) out->also_read = word;
        if (word != out->also_read + out->also_read_count - 1) return false;
    } while (backend::take_prefix(&run, ":"));
    return run.empty();
}

Ref ref_of(const isa::Operand& o, const Places& places) {
    Ref r{.high = o.high_word, .neg = o.neg, .abs = o.abs, .invert = o.invert, .last = o.last};
    r.swizzle = o.swizzle;
    r.index = o.index;
    switch (o.kind) {
        case isa::OperandKind::kRegister:
            r.index = places.word(o.index);
            r.kind = r.index == kNoWord ? Ref::Kind::None : Ref::Kind::Word;
            if (r.index == kNoWord) r.index = 0;
            break;
        case isa::OperandKind::kUniform:
            r.kind = Ref::Kind::Uniform;
            break;
        case isa::OperandKind::kConstant:
            r.kind = Ref::Kind::Constant;
            break;
        case isa::OperandKind::kSpecial:
            r.kind = Ref::Kind::Special;
            break;
    }
    return r;
}

}  // namespace

void Valhall::print(const Function& f, const Inst& i, std::string* out) {
    // The registers that represent operands: two for each source, followed by the runs.
    constexpr unsigned kDest = 14, kRead = 16, kWritten = 40, kNone = 15;
    std::array<uint32_t, kRegisters> words;
    words.fill(kNoWord);
    const auto stand_for = [&](unsigned at, uint32_t word, unsigned count) {
        for (unsigned k = 0; k < count; k++)
            words[at + k] = word + k;
        return uint8_t(at);
    };
    isa::Instr p = i.proto;
    const isa::OpInfo& row = p.info();
    for (unsigned n = 0; n < row.source_count; n++) {
        const bool word = i.src[n].kind == Ref::Kind::Word;
        p.src[n] = i.src[n].operand(word ? stand_for(2 * n, i.src[n].index, 1) : uint8_t(kNone));
    }
    if (i.dest != kNoWord) p.dest.reg = stand_for(kDest, i.dest, 1);
    for (unsigned n = 0; n < row.staging_count; n++) {
        p.staging[n].count = 0;
        if (row.staging_rows[n].reads && i.read_count)
            p.staging[n] = {stand_for(kRead, i.read, i.read_count), i.read_count};
        if (row.staging_rows[n].writes && i.written_count)
            p.staging[n] = {stand_for(kWritten, i.written, i.written_count), i.written_count};
    }
    std::string text;
    isa::print(p, &text);
    for (size_t at = 0; at < text.size();) {
        if (!begins_name(text, at)) {
            *out += text[at++];
            continue;
        }
        std::string_view rest = std::string_view(text).substr(at + 1);
        uint32_t reg = 0;
        if (!backend::take_number(&rest, &reg) || words[reg] == kNoWord)
            *out += "_";
        else
            backend::append_word(f, words[reg], out);
        at = text.size() - rest.size();
    }
    if (i.also_read_count) {
        *out += kAlso;
        append_run(f, i.also_read, i.also_read_count, out);
    }
    if (i.calls) *out += kCalls;
    if (i.always) *out += kAlways;
    if (i.target >= 0) *out += kTarget + std::to_string(i.target);
}

bool Valhall::parse(Function& f, std::string_view line, Inst* out, std::string* why) {
    Inst i;
    Places places(f);
    std::string text;
    if (!take_rest(f, &line, &i)) return *why = "also, calls, always or a block: not understood", false;
    if (!name_registers(f, line, places, &text, why)) return false;
    isa::Error error;
    isa::Instr p;
    if (!isa::assemble_line(text, &p, &error)) return *why = error.reason, false;
    const isa::OpInfo& row = p.info();
    i.proto = isa::make(p.op);
    i.proto.flow = p.flow;
    i.proto.imm = p.imm;
    i.proto.mods = p.mods;
    i.proto.dest.halves = p.dest.halves;
    for (unsigned n = 0; n < row.source_count; n++)
        i.src[n] = ref_of(p.src[n], places);
    if (row.has_dest) i.dest = places.word(p.dest.reg);
    for (unsigned n = 0; n < row.staging_count; n++) {
        const isa::Staging& s = p.staging[n];
        if (!s.count) continue;
        if (row.staging_rows[n].reads) i.read = places.word(s.reg), i.read_count = s.count;
        if (row.staging_rows[n].writes) i.written = places.word(s.reg), i.written_count = s.count;
    }
    if (i.is_branch() != (i.target >= 0)) return *why = "a branch has a block, and nothing else has", false;
    const bool message = row.message == isa::Message::kLoad || row.message == isa::Message::kStore;
    i.local = message && p.memory_access() == isa::MemoryAccess::kForce;
    *out = i;
    return true;
}

static_assert(backend::TextTarget<Valhall>);

}  // namespace terrazzo::mali::compiler
