// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A wallet that is a contract: its signatures (ERC-1271) are those of its owner's key.
contract TestSmartWallet {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    function execute(address to, uint256 value, bytes calldata data) external returns (bytes memory answer) {
        require(msg.sender == owner, "TestSmartWallet: only the owner");
        bool success;
        (success, answer) = to.call{value: value}(data);
        require(success, "TestSmartWallet: call failed");
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        address signer =
            ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return signer != address(0) && signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// Makes such wallets at addresses known beforehand, so that a wallet can sign (ERC-6492) before it exists.
contract TestSmartWalletFactory {
    function createWallet(address owner, bytes32 salt) external returns (address wallet) {
        wallet = walletAddress(owner, salt);
        if (wallet.code.length == 0) new TestSmartWallet{salt: salt}(owner);
    }

    function walletAddress(address owner, bytes32 salt) public view returns (address) {
        bytes32 codeHash = keccak256(abi.encodePacked(type(TestSmartWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, codeHash)))));
    }
}
