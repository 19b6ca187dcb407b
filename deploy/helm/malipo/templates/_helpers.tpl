{{- define "malipo.name" -}}
{{- .Release.Name | trunc 53 | trimSuffix "-" -}}
{{- end -}}

{{- define "malipo.selector" -}}
app.kubernetes.io/name: malipo
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "malipo.labels" -}}
{{ include "malipo.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}
