// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// All chips of the generation run the same code, on cores of the same kind. The numbers are those of the
// shaders: pieces that load attributes and that blend depend on the state of a draw. A vertex shader is
// compiled as if its fragment shader interpolated all varyings with perspective.
#include "drivers/agx/shader_db.h"

#include <algorithm>
#include <iterator>

#include "drivers/agx/compiler/compile.h"
#include "drivers/agx/hw/chips.h"
#include "drivers/common/shader_db/chip_compilers.h"

namespace terrazzo::agx {

namespace {

/// Amounts that a core does per clock, in threads and in the order of kUnits. The values are guesses; only
/// their order is meaningful.
constexpr double kRates[] = {128, 32, 8, 16, 32};

/// Threads of a core, by the most registers of 16 bits that each may have. Mesa 25.0.7, agx_performance.c.
constexpr struct {
    uint32_t halves, threads;
} kOccupancy[] = {{104, 1024}, {112, 896}, {128, 832}, {136, 768}, {144, 704},
                  {160, 640},  {184, 576}, {208, 512}, {232, 448}, {256, 384}};

/// The unit that executes an instruction, as an index of kUnits.
unsigned unit_of(const isa::Instr& instr) {
    switch (instr.op) {
        case isa::Op::kRcp:
        case isa::Op::kRsqrt:
        case isa::Op::kRsqrtSpecial:
        case isa::Op::kSinPt1:
        case isa::Op::kSinPt2:
        case isa::Op::kLog2:
        case isa::Op::kExp2:
            return 1;
        default:  // the class says it
            break;
    }
    switch (instr.info().unit) {
        case isa::Class::kTexture:
        case isa::Class::kImage:
            return 2;
        case isa::Class::kDevice:
        case isa::Class::kLocal:
            return 3;
        case isa::Class::kVarying:
        case isa::Class::kPixel:
        case isa::Class::kBarrier:
            return 4;
        case isa::Class::kMove:
        case isa::Class::kFloat:
        case isa::Class::kInteger:
        case isa::Class::kBits:
        case isa::Class::kSelect:
        case isa::Class::kFlow:
        case isa::Class::kGroup:
        case isa::Class::kUnknown:
            return 0;
    }
    __builtin_trap();
}

}  // namespace

struct G13 {
    using Chip = hw::Chip;
    using Binary = compiler::Binary;
    static constexpr pipe::OfflineUnit kUnits[] = {
        {"alu", "arithmetic, moves, flow and waits"},
        {"sfu", "special functions: reciprocal, square root, logarithm, sine"},
        {"texture", "texture sampling and images"},
        {"memory", "loads and stores, the stack"},
        {"pixel", "varyings, and the tile's pixels"},
    };
    static_assert(std::size(kUnits) == std::size(kRates));
    static constexpr const char* kParts[] = {"vertex", "fragment", "compute"};
    static constexpr auto& chips = hw::chips;

    static constexpr ir::Stage kStages[] = {ir::Stage::Vertex, ir::Stage::Fragment, ir::Stage::Compute};
    static Binary compile(const Chip&, const ir::Shader& s, unsigned) { return compiler::compile(s); }
    static void measure(const Chip&, unsigned, const Binary& binary, pipe::OfflineCode* out) {
        out->registers = binary.info.registers;
        out->threads = std::ranges::lower_bound(kOccupancy, 2 * out->registers, {}, [](const auto& row) {
                           return row.halves;
                       })->threads;
        uint32_t counts[std::size(kRates)] = {};
        isa::Instr instr;
        isa::Error error;
        size_t length = 0;
        for (std::span<const isa::Unit> rest = binary.code;
             !rest.empty() && terrazzo::isa::decode_first(rest, &instr, &length, &error);
             rest = rest.subspan(length))
            ++counts[unit_of(instr)];
        shader_db::add_cycles(counts, kRates, out);
    }
};

}  // namespace terrazzo::agx

template std::span<const terrazzo::pipe::OfflineCompiler* const>
terrazzo::shader_db::chip_compilers<terrazzo::agx::G13>();
