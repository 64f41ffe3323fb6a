// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/stream_output.h"

#include <string>

namespace terrazzo::adreno::sim {

bool StreamOutput::init(Machine& machine, uint32_t stride, Fault* fault) {
    const Registers& r = machine.registers;
    enabled_ = false;
    words_.clear();
    const auto control = r.get<hw::VPC_SO_STREAM_CNTL>();
    // Without a geometry shader there is stream 0 alone.
    if (!(control.stream_enable & 1)) return true;
    hw::VPC_SO_DISABLE disable;
    if (!r.require(&disable, fault)) return false;
    if (disable.disable) return true;
    const uint32_t streams[kBuffers] = {control.buf0_stream, control.buf1_stream, control.buf2_stream,
                                        control.buf3_stream};
    wrong_.clear();
    const auto add = [&](unsigned location, unsigned buffer, unsigned offset_B) {
        if (location >= stride)
            wrong_ = "VPC_SO_PROG: location " + std::to_string(location) +
                     " is beyond VPC_VS_PACK's stride of " + std::to_string(stride);
        else if (streams[buffer] != 1)
            wrong_ = "VPC_SO_PROG writes buffer " + std::to_string(buffer) +
                     ", which VPC_SO_STREAM_CNTL gives no stream";
        else
            words_.push_back({uint8_t(location), uint8_t(buffer), uint16_t(offset_B)});
    };
    for (unsigned i = 0; i < Registers::kStreamProgram / 4; ++i) {
        const uint32_t word = r.stream_program(i);
        hw::VPC_SO_PROG p;
        unpack(&word, &p);
        if (p.a_en) add(2 * i, p.a_buf, p.a_off);
        if (p.b_en) add(2 * i + 1, p.b_buf, p.b_off);
    }
    for (unsigned b = 0; b < kBuffers; ++b) {
        buffers_[b] = {};
        if (streams[b] != 1) continue;
        hw::VPC_SO_BUFFER_BASE base;
        hw::VPC_SO_BUFFER_SIZE size;
        hw::VPC_SO_BUFFER_STRIDE buffer_stride;
        hw::VPC_SO_BUFFER_OFFSET offset;
        if (!r.require(&base, fault, b) || !r.require(&size, fault, b) ||
            !r.require(&buffer_stride, fault, b) || !r.require(&offset, fault, b))
            return false;
        buffers_[b] = {true, base.value, size.value, buffer_stride.value};
    }
    enabled_ = true;
    return true;
}

bool StreamOutput::write(Machine& machine, const VertexOutputs& vertices, const uint32_t* corner,
                         unsigned corners, Fault* fault) {
    ++machine.stream_output_primitives[1][0];
    uint32_t offset[kBuffers];
    for (unsigned b = 0; b < kBuffers; ++b) {
        offset[b] = machine.registers.get<hw::VPC_SO_BUFFER_OFFSET>(b).value;
        const Buffer& buffer = buffers_[b];
        if (buffer.used && uint64_t(offset[b]) + uint64_t(corners) * buffer.stride_B > buffer.size_B)
            return true;
    }
    if (!wrong_.empty()) return fail(fault, FaultKind::Hardware, wrong_);
    for (unsigned k = 0; k < corners; ++k) {
        const uint32_t* outputs = vertices.of(corner[k]);
        for (const Word& w : words_) {
            const uint64_t va = buffers_[w.buffer].base + offset[w.buffer] + w.offset_B;
            if (!machine.memory.write(va, &outputs[w.location], 4))
                return fail(fault, FaultKind::Memory,
                            "stream output buffer " + std::to_string(w.buffer) + ": " +
                                to_string(machine.memory.fault()));
        }
        for (unsigned b = 0; b < kBuffers; ++b)
            offset[b] += buffers_[b].stride_B;
    }
    for (unsigned b = 0; b < kBuffers; ++b)
        if (buffers_[b].used) machine.registers.write(hw::VPC_SO_BUFFER_OFFSET::at(b), offset[b]);
    ++machine.stream_output_primitives[0][0];
    return true;
}

}  // namespace terrazzo::adreno::sim
