// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TestUsdc} from "./TestUsdc.sol";

/// The system address of a chain whose gas is the dollar itself: it logs every movement once more, with 18 decimals.
contract NativeMirror {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function moved(address from, address to, uint256 value) external {
        require(msg.sender == 0x3600000000000000000000000000000000000000, "NativeMirror: only the token");
        emit Transfer(from, to, value);
    }
}

/// TestUsdc on such a chain. The system's log comes before the token's own, so the Transfer that belongs to an
/// AuthorizationUsed is the token's next log but not the transaction's next log. Nothing moved, nothing mirrored.
contract TestNativeUsdc is TestUsdc {
    NativeMirror private constant MIRROR = NativeMirror(0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE);

    function _moved(address from, address to, uint256 value) internal override {
        if (value > 0) MIRROR.moved(from, to, value * 10 ** 12);
    }
}
