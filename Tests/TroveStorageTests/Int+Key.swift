extension Int {
    /// Eight bytes, the highest first.
    var key: [UInt8] { withUnsafeBytes(of: UInt64(self).bigEndian) { [UInt8]($0) } }
}
