import Foundation

extension CriteriaWriter {
    func text(_ value: StoredValue) -> String {
        switch value {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .uint(let value): "\(value)"
        case .float(let value): "float " + number(Double(value), "\(value)")
        case .double(let value): value.isFinite ? number(value, "\(value)") : "double " + number(value, "\(value)")
        case .decimal(let value): "decimal " + (value.isNaN ? "'nan'" : digits(value))
        case .string(let value): quoted(cut(value), "'")
        case .data(let value): "data '" + cut(value.hexadecimal) + "'"
        case .url(let value): "url " + quoted(cut(value.absoluteString), "'")
        case .date(let value):
            "date " + (value.criteriaText.map { quoted($0, "'") }
                ?? number(value.timeIntervalSinceReferenceDate, "\(value.timeIntervalSinceReferenceDate)"))
        case .uuid(let value): "uuid '\(value.uuidString.lowercased())'"
        case .objectID(let value): "objectid '\(value)'"
        case .array(let values): "[" + listed(values, counted: "elements") { text($0) } + "]"
        case .object(let values):
            // Sorted, so that equal values have one text.
            "{" + listed(values.sorted { $0.key < $1.key }, counted: "names") { quoted($0.key, "'") + ": " + text($0.value) } + "}"
        case .dictionary(let values):
            "dictionary {" + listed(values.map { text($0.key) + ": " + text($0.value) }.sorted(), counted: "keys") { $0 } + "}"
        }
    }

    func quoted(_ text: String, _ quote: String) -> String {
        quote + text.replacing(quote, with: quote + quote) + quote
    }

    private func digits(_ value: Decimal) -> String {
        let parts = value.parts
        return (-30...0).contains(parts.exponent) ? value.description : (parts.isNegative ? "-" : "") + "\(parts.mantissa)e\(parts.exponent)"
    }

    private func number(_ value: Double, _ digits: String) -> String {
        if value.isNaN { return "'nan'" }
        if value.isInfinite { return value < 0 ? "'-inf'" : "'inf'" }
        return digits
    }
}
