import EngineSupport

extension Tool {
    /// Input for `mdb_load`: entries as pairs of bytes.
    static func dump(_ entries: [([UInt8], [UInt8])], mapSize: Int) -> String {
        func hexadecimal(_ bytes: [UInt8]) -> String {
            " " + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        let lines = entries.flatMap { [hexadecimal($0), hexadecimal($1)] }
        return (["VERSION=3", "format=bytevalue", "type=btree", "mapsize=\(mapSize)", "maxreaders=126", "HEADER=END"] + lines + ["DATA=END", ""])
            .joined(separator: "\n")
    }
}
