/// Reads CSV as RFC 4180 describes it: written from that, and not from what writes it.
enum CSVReader {
    /// The rows of a text; a field without quotes that is empty is nil.
    static func rows(_ text: String) -> [[String?]] {
        var rows: [[String?]] = []
        var row: [String?] = []
        var field = String.UnicodeScalarView()
        var (isQuoted, wasQuoted) = (false, false)
        var rest = Array(text.unicodeScalars)[...]
        func ended() -> String? { field.isEmpty && !wasQuoted ? nil : String(field) }
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"" where isQuoted && rest.first == "\"":
                field.append("\"")
                rest.removeFirst()
            case "\"":
                isQuoted.toggle()
                wasQuoted = true
            case "," where !isQuoted, "\n" where !isQuoted:
                row.append(ended())
                field = String.UnicodeScalarView()
                wasQuoted = false
                if scalar == "\n" {
                    rows.append(row)
                    row = []
                }
            default: field.append(scalar)
            }
        }
        return rows
    }
}
