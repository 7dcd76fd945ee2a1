/// Checks CBOR from other sources before a recursive parser reads it.
#pragma once

#include <string_view>

namespace nodia {

/// True if the bytes are one complete CBOR item (RFC 8949) of definite lengths, without tags,
/// nested at most 16 deep. nodia writes such items. Needs a constant stack for any bytes.
bool is_shallow_cbor(std::string_view bytes);

}  // namespace nodia
